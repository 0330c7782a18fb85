package org.stage.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** {@code stage} alone: who types that wants to know what there is. */
final class NoCommandException extends ParameterException {
  private static final long serialVersionUID = 1;

  NoCommandException(CommandLine line) {
    super(line, "no command is given");
  }
}
