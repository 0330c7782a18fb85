package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import org.pf4j.Extension;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.RunContext;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.backend.chakra.format.TraceSet;
import org.stage.backend.chakra.read.SetReader;

/**
 * Reads Chakra trace sets of every origin: ours, those of other generators, and those collected
 * from PyTorch; binary, compressed, or in the JSON form.
 */
@Extension
public final class ChakraImporter implements WorkloadImporter {
  @Override
  public String name() {
    return SetReader.FORMAT;
  }

  @Override
  public String description() {
    return "reads Chakra execution traces (.et) of any origin";
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything().withFiles("*.et", "*.et.gz", "*.json");
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return TraceSet.any(directory) || !TraceSet.findJson(directory).isEmpty();
  }

  @Override
  public Imported read(Path directory, RunContext context) throws IOException {
    return SetReader.read(directory, context);
  }
}
