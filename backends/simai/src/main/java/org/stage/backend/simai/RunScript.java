package org.stage.backend.simai;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The script that starts SimAI-Analytical on the files beside it. */
final class RunScript {
  private RunScript() {}

  static void write(Path directory, List<String> files, int gpus, Servers servers)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        #!/bin/sh
        # Runs SimAI-Analytical on the workload files beside this script.
        #
        #   sh run.sh SIMAI [option ...]
        #
        # SIMAI is the folder of SimAI, with bin/SimAI_analytical: it must be started there. Results go to
        # its folder results. Times in them are microseconds. Leave -pp_o at 1: SimAI prices transfers
        # between stages by it, not by the bandwidth.
        set -eu
        here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
        cd -- "${1:?the folder of SimAI, with bin/SimAI_analytical}"
        shift
        mkdir -p results
        """);
    for (String file : files) {
      String stem = file.substring(0, file.lastIndexOf('.'));
      text.append(
          String.format(
              Locale.ROOT,
              "./bin/SimAI_analytical -w \"$here/%s\" -g %d -g_p_s %d -n_p_s %d -nv %.3f -nic %.3f"
                  + " -r %s- \"$@\"%n",
              file,
              gpus,
              servers.gpus(),
              servers.nics(),
              servers.nvlink(),
              servers.nic(),
              stem));
    }
    Files.writeString(directory.resolve("run.sh"), text.toString().replace("\r\n", "\n"));
  }
}
