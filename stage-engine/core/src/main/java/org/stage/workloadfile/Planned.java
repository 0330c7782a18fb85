package org.stage.workloadfile;

/** What cannot be written as a word, of values that are planned. */
enum Planned {
  /** A number. */
  NUMBER("a-number"),
  /** A list. */
  LIST("a-list"),
  /** A map. */
  MAP("a-map");

  private final String text;

  Planned(String text) {
    this.text = text;
  }

  boolean matches(SourceNode node) {
    return switch (this) {
      case NUMBER ->
          node instanceof SourceNode.Scalar scalar
              && scalar.form() == SourceNode.Form.WHOLE
              && scalar.raw().matches("[1-9][0-9]*");
      case LIST -> node instanceof SourceNode.Items;
      case MAP -> node instanceof SourceNode.Fields;
    };
  }

  /** Its name in the table of keys. */
  String text() {
    return text;
  }
}
