package org.stage.cli;

/** The source of an importer of what the fake plugin writes; it has moods by what the files say. */
final class FakeImporter {
  static final String SOURCE =
      """
      package fake;

      import java.io.IOException;
      import java.nio.file.*;
      import java.util.*;
      import org.stage.api.diagnostic.*;
      import org.stage.api.plugin.*;
      import org.stage.api.workload.*;

      public class FakeImporter implements WorkloadImporter {
        public String name() { return "fake"; }
        public String description() { return "reads one file a rank"; }
        public boolean accepts(Path directory) throws IOException {
          return Files.exists(directory.resolve("0.fake"));
        }
        public Imported read(Path directory, RunContext context) throws IOException {
          String mood = Files.readString(directory.resolve("0.fake"));
          int ranks = 0;
          while (Files.exists(directory.resolve(ranks + ".fake"))) {
            context.progress().report(++ranks, ranks, "ranks read");
          }
          Node node = new Node.MemoryLoad(
              new NodeHeader(mood.equals("illegal") ? 7 : 0, "load", Phase.FORWARD,
                  Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE), 8);
          ExecutionGraph graph = new ExecutionGraph(List.of(node), List.of());
          RankSet all = RankSet.parse("0-" + (ranks - 1));
          Workload workload = new Workload("fake", "m", new Mesh(List.of(new MeshAxis("rank", ranks))),
              new Precision(DataType.BF16, DataType.BF16, DataType.BF16), Optional.empty(), List.of(),
              List.of(new RankClass(0, all, () -> {
                if (mood.equals("late")) {
                  throw new InputException("0.fake", "is damaged after all", "");
                }
                if (mood.equals("bug")) {
                  throw new IllegalStateException("boom");
                }
                return graph;
              })));
          return new Imported(workload, List.of(),
              mood.equals("lossy") ? List.of(Diagnostic.warning("0.fake", "colours", "")) : List.of());
        }
      }
      """;

  private FakeImporter() {}
}
