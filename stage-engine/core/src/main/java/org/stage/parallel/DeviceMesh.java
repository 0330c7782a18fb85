package org.stage.parallel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.SubAxis;
import org.stage.job.Job;
import org.stage.job.Nearest;

/**
 * The mesh as placements see it: axes of degree above 1 along which tensors are sharded, each an
 * axis of the job's mesh or a factor of one. The pipeline axis is not among them.
 *
 * @param mesh the job's mesh
 * @param axes what layouts and rules name by index; the outer factor of a split axis first
 * @param headParts over how many of the outermost ranks of {@code tp} query heads can be sharded
 */
public record DeviceMesh(Mesh mesh, List<Axis> axes, int headParts) {
  private static final List<String> REPLICAS = List.of("dp", "cp", "ep");
  private static final List<String> MIDDLE = List.of("_middle", "_next");

  private static int rank(String axis) {
    int replica = REPLICAS.indexOf(axis);
    return replica < 0 ? REPLICAS.size() : replica;
  }

  /**
   * One axis of placements.
   *
   * @param part which part of the job's mesh
   * @param symbol its degree as a symbol of sizes: {@code tp}, {@code tp_outer}
   */
  public record Axis(SubAxis part, String symbol) {
    Expr degree() {
      return Expr.symbol(symbol);
    }
  }

  /** Copies the list. */
  public DeviceMesh {
    axes = List.copyOf(axes);
  }

  /** The axes of a job's mesh. */
  public static DeviceMesh of(Job job) {
    int expertTp = job.strategy().experts().tp();
    return of(job.mesh(), job.model().heads(), job.model().kvHeads(), expertTp);
  }

  /** The axes of a mesh that has as many query heads as it needs. */
  public static DeviceMesh of(Mesh mesh, int kvHeads) {
    return of(mesh, kvHeads, mesh.degree("tp"));
  }

  /** The same where experts are split over {@code expertTp} ranks. */
  public static DeviceMesh of(Mesh mesh, int kvHeads, int expertTp) {
    return of(mesh, mesh.degree("tp"), kvHeads, expertTp);
  }

  /**
   * The axes of a mesh. Where tensor parallelism exceeds the heads, or those of keys and values,
   * {@code tp} is cut into an outer factor that shards them and an inner one that replicates them;
   * where it exceeds that of experts, into an outer factor that replicates these and an inner one
   * that shards them.
   *
   * @param heads query heads
   * @param kvHeads key/value heads
   * @param expertTp tensor parallelism of experts
   * @throws IllegalArgumentException if of two cuts of {@code tp} neither is a factor of the other
   */
  public static DeviceMesh of(Mesh mesh, int heads, int kvHeads, int expertTp) {
    int tp = mesh.degree("tp");
    int headParts = headParts(tp, heads);
    List<Axis> axes = new ArrayList<>();
    for (MeshAxis axis : mesh.axes()) {
      if (axis.name().equals("tp")) {
        axes.addAll(parts(axis, List.of(headParts, headParts(tp, kvHeads), tp / expertTp)));
      } else if (axis.degree() > 1 && !axis.name().equals("pp")) {
        axes.add(new Axis(SubAxis.whole(axis), axis.name()));
      }
    }
    return new DeviceMesh(mesh, axes, headParts);
  }

  /** Over how many of the outermost of {@code tp} ranks {@code heads} can be sharded. */
  static int headParts(int tp, int heads) {
    return (int) Nearest.commonDivisor(tp, heads);
  }

  /** The factors of {@code axis} between its cuts, each the degree of all factors outside it. */
  private static List<Axis> parts(MeshAxis axis, List<Integer> cuts) {
    TreeSet<Integer> ends = new TreeSet<>(cuts);
    ends.add(axis.degree());
    ends.remove(1);
    List<SubAxis> parts = new ArrayList<>();
    int from = 1;
    for (int end : ends) {
      if (end % from != 0) {
        throw new IllegalArgumentException(from + " and " + end + " cut " + axis + " across");
      }
      parts.add(new SubAxis(axis.name(), from, end / from));
      from = end;
    }
    List<Axis> named = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      String which = i == 0 ? "_outer" : i == parts.size() - 1 ? "_inner" : MIDDLE.get(i - 1);
      named.add(new Axis(parts.get(i), axis.name() + (parts.size() == 1 ? "" : which)));
    }
    return named;
  }

  /** Indices of the axes that are parts of {@code meshAxis}, outermost first. */
  List<Integer> partsOf(String meshAxis) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < axes.size(); i++) {
      if (axes.get(i).part().axis().equals(meshAxis)) {
        parts.add(i);
      }
    }
    return parts;
  }

  /** Whether an axis and all factors outside it together divide {@code count}. */
  boolean reaches(int index, int count) {
    SubAxis part = axes.get(index).part();
    return count % (part.pre() * part.size()) == 0;
  }

  /** Indices of the axes along which parameters are replicated and tokens are split. */
  List<Integer> replicas() {
    return REPLICAS.stream().flatMap(axis -> partsOf(axis).stream()).sorted().toList();
  }

  /** Values of the degree symbols. */
  public Map<String, Long> degrees() {
    Map<String, Long> degrees = new HashMap<>();
    axes.forEach(axis -> degrees.put(axis.symbol(), (long) axis.part().size()));
    return degrees;
  }

  /**
   * The parts at {@code indices} as a group is written, whatever their order: data parallelism
   * first, then in mesh order, factors of one axis that together are the whole joined to one.
   */
  public List<SubAxis> join(List<Integer> indices) {
    List<SubAxis> joined = new ArrayList<>();
    List<Integer> ordered = new ArrayList<>(indices);
    ordered.sort(
        Comparator.<Integer>comparingInt(index -> rank(axes.get(index).part().axis()))
            .thenComparing(Comparator.naturalOrder()));
    for (int index : ordered) {
      SubAxis part = axes.get(index).part();
      SubAxis last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      boolean adjacent =
          last != null && last.axis().equals(part.axis()) && last.pre() * last.size() == part.pre();
      if (last != null && adjacent) {
        joined.set(
            joined.size() - 1, new SubAxis(part.axis(), last.pre(), last.size() * part.size()));
      } else {
        joined.add(part);
      }
    }
    return joined;
  }
}
