package org.stage.backend.chakra;

import org.pf4j.Extension;
import org.stage.api.plugin.Exporter;
import org.stage.backend.chakra.format.proto.GlobalMetadata;

/** Writes Chakra execution traces. */
@Extension
public final class ChakraExporter implements Exporter {
  @Override
  public String name() {
    return "chakra";
  }

  byte[] header() {
    return GlobalMetadata.newBuilder().setVersion("0.0.4").build().toByteArray();
  }
}
