package org.stage.backend.scalesim.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** The script that runs SCALE-Sim on every topology of a folder. */
public final class RunScript {
  private static final String TEXT =
      """
      #!/bin/sh
      # Runs SCALE-Sim on each topology of this folder, or on those named:
      #
      #   SCALESIM=<checkout of SCALE-Sim v2 or v3> ./run.sh [TOPOLOGY...]
      #
      # Results go to $OUT (default: results beside this file), one folder a topology. PYTHON names another
      # Python than python3; it needs numpy, pandas and tqdm. Reports name rows by number only: row r of a
      # report is what the lines with `row` r of the .repeats.csv tell of.
      set -eu
      here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
      : "${SCALESIM:?names the checkout of SCALE-Sim}"
      out=${OUT:-$here/results}
      [ $# -gt 0 ] || set -- "$here"/*.rank*.csv
      for topology in "$@"; do
        case $topology in *.repeats.csv) continue ;; esac
        name=$(basename "$topology" .csv)
        mkdir -p "$out/$name"
        # only v3 knows -l, and it stops without the file
        if [ -f "$SCALESIM/scalesim/layout_utils.py" ]; then
          layout="-l layout.csv"
        else
          layout=
        fi
        topology=$(CDPATH='' cd "$(dirname "$topology")" && pwd)/$name.csv
        # shellcheck disable=SC2086
        (cd "$here" && PYTHONPATH=$SCALESIM "${PYTHON:-python3}" "$SCALESIM/scalesim/scale.py" \\
          -c @CONFIGURATION@ -t "$topology" -p "$out/$name" -i gemm $layout)
      done
      """;

  private RunScript() {}

  /** Writes an executable script that uses {@code configuration}, which lies beside it. */
  public static void write(Path file, String configuration) throws IOException {
    Files.writeString(file, TEXT.replace("@CONFIGURATION@", configuration));
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
