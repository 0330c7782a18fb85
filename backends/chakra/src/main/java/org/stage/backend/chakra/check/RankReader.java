package org.stage.backend.chakra.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.Node;

/** Reads the file of one rank and checks what can be seen in it alone. */
final class RankReader {
  private final SetContext set;

  RankReader(SetContext set) {
    this.set = set;
  }

  /** The rank's trace; null if it cannot be run, which is then among the faults. */
  @Nullable RankTrace read(int rank, Path file) throws IOException {
    if (!Files.isWritable(file)) {
      set.faults()
          .warning(
              file.toString(),
              "the file is not writable, but the simulator opens it for writing",
              "Make it writable.");
    }
    Draft draft = new Draft();
    try (TraceReader reader = new TraceReader(file)) {
      checkHead(file, reader);
      NodeCheck check = new NodeCheck(rank, file, set);
      for (Node node = reader.next(); node != null; node = reader.next()) {
        draft.add(node, check.check(node));
      }
      check.finish();
    } catch (TraceFormatException e) {
      set.faults().error(file + ", byte " + e.offset(), e.problem(), "Write the file anew.");
      return null;
    }
    if (draft.nodes == 0) {
      set.faults().error(file.toString(), "the file has no node", "A rank must do something.");
      return null;
    }
    return new Linker(rank, file, draft, set).link();
  }

  private void checkHead(Path file, TraceReader reader) {
    if (!reader.metadata().getUnknownFields().asMap().isEmpty()) {
      set.faults()
          .error(
              file + ", byte 0",
              "the first message is not the metadata; a node that stands there is lost",
              "Begin with a GlobalMetadata message.");
    }
    if (reader.gzip()) {
      checkGzip(file, reader);
    }
  }

  /** What the writer meant for an older feeder is not a fault. */
  private void checkGzip(Path file, TraceReader reader) {
    boolean meant = reader.metadata().getAttrList().contains(TraceTemplate.GZIP_MARK);
    String problem = "the file is compressed, which the current feeder takes for damage";
    String remedy = "Unpack it; only feeders before August 2025 read gzip.";
    if (meant) {
      set.faults().warning(file.toString(), problem, remedy);
    } else {
      set.faults().error(file.toString(), problem, remedy);
    }
  }
}
