package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every mesh, tried on random ones; a seed says which. */
class MeshPropertiesTest {
  private static final int[] DEGREES = {1, 2, 3, 4, 6, 8};

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  private static Mesh randomMesh(Random random) {
    List<MeshAxis> axes = new ArrayList<>();
    for (String name : List.of("tp", "cp", "dp", "pp").subList(0, random.nextInt(1, 5))) {
      axes.add(new MeshAxis(name, DEGREES[random.nextInt(DEGREES.length)]));
    }
    return new Mesh(axes);
  }

  /** Some axes, each whole or one of its factors. */
  private static Group randomGroup(Mesh mesh, Random random) {
    List<SubAxis> parts = new ArrayList<>();
    for (MeshAxis axis : mesh.axes()) {
      if (parts.isEmpty() || random.nextBoolean()) {
        parts.add(randomPart(axis, random));
      }
    }
    return new Group.Along(parts);
  }

  private static SubAxis randomPart(MeshAxis axis, Random random) {
    int[] outer = divisors(axis.degree());
    int pre = outer[random.nextInt(outer.length)];
    int[] sizes = divisors(axis.degree() / pre);
    return new SubAxis(axis.name(), pre, sizes[random.nextInt(sizes.length)]);
  }

  private static int[] divisors(int number) {
    return IntStream.rangeClosed(1, number).filter(d -> number % d == 0).toArray();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyMemberOfAGroupNamesTheSameMembers(long seed) {
    Random random = new Random(seed);
    Mesh mesh = randomMesh(random);
    Group group = randomGroup(mesh, random);
    for (int rank = 0; rank < mesh.devices(); rank++) {
      List<Integer> members = mesh.members(group, rank);
      assertThat(members).hasSize(group.size()).contains(rank).isSorted().doesNotHaveDuplicates();
      for (int member : members) {
        assertThat(mesh.members(group, member)).isEqualTo(members);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theGroupsPartitionTheRanks(long seed) {
    Random random = new Random(seed);
    Mesh mesh = randomMesh(random);
    Group group = randomGroup(mesh, random);
    List<Integer> all =
        IntStream.range(0, mesh.devices())
            .mapToObj(rank -> mesh.members(group, rank))
            .distinct()
            .flatMap(List::stream)
            .sorted()
            .toList();
    assertThat(all).containsExactlyElementsOf(IntStream.range(0, mesh.devices()).boxed().toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void coordinatesTellTheRank(long seed) {
    Mesh mesh = randomMesh(new Random(seed));
    for (int rank = 0; rank < mesh.devices(); rank++) {
      int sum = 0;
      for (MeshAxis axis : mesh.axes()) {
        sum += mesh.coordinate(rank, axis.name()) * mesh.stride(axis.name());
      }
      assertThat(sum).isEqualTo(rank);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPeerOfAPeerTheOtherWayIsTheRankItself(long seed) {
    Random random = new Random(seed);
    Mesh mesh = randomMesh(random);
    int rank = random.nextInt(mesh.devices());
    for (MeshAxis axis : mesh.axes()) {
      int offset = random.nextInt(-10, 11);
      int peer = mesh.peer(rank, axis.name(), offset);
      assertThat(mesh.peer(peer, axis.name(), -offset)).isEqualTo(rank);
      Group whole = new Group.Along(List.of(SubAxis.whole(axis)));
      assertThat(mesh.members(whole, rank)).contains(peer);
      TreeSet<Integer> around = new TreeSet<>();
      IntStream.range(0, axis.degree()).forEach(i -> around.add(mesh.peer(rank, axis.name(), i)));
      assertThat(around).containsExactlyElementsOf(mesh.members(whole, rank));
    }
  }
}
