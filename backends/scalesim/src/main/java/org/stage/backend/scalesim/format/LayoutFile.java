package org.stage.backend.scalesim.format;

/** The layout of data in banks: v3 wants the file to exist, though it reads no row without need. */
public final class LayoutFile {
  private static final String HEADER =
      "Layer name, IFMAP Height Intraline Factor, IFMAP Width Intraline Factor,"
          + " Filter Height Intraline Factor, Filter Width Intraline Factor,"
          + " Channel Intraline Factor, Num Filter Intraline Factor,"
          + " IFMAP Height Intraline Order, IFMAP Width Intraline Order, Channel Intraline Order,"
          + " IFMAP Height Interline Order, IFMAP Width Interline Order, Channel Interline Order,"
          + " Num Filter Intraline Order, Channel Intraline Order,"
          + " Filter Height Intraline Order, Filter Width Intraline Order,"
          + " Num Filter Interline Order, Channel Interline Order,"
          + " Filter Height Interline Order, Filter Width Interline Order,\n";

  private LayoutFile() {}

  /** The text of a file without rows. */
  public static String text() {
    return HEADER;
  }
}
