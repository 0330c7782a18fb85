package org.stage.workloadfile;

/**
 * A key of the workload file.
 *
 * @param path with dots; {@code []} stands for the items of a list
 * @param type what it takes
 * @param fallback what holds when it is not given, as it would be written; empty if nothing does
 * @param otherwise the fallback in words, where it depends on other keys
 * @param required whether its map must have it
 * @param symbol the symbol of module files whose value it is; empty if it is of none
 * @param meaning one sentence for the manual and the schema
 */
record Key(
    String path,
    KeyType type,
    String fallback,
    String otherwise,
    boolean required,
    String symbol,
    String meaning) {

  /** The last part of the path. */
  String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** The path of the map it stands in; empty at the top. */
  String parent() {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(0, dot);
  }
}
