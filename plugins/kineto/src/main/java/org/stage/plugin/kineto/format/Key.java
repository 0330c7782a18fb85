package org.stage.plugin.kineto.format;

import java.util.Arrays;

/** The keys of events that are read; all others are skipped unseen. */
enum Key {
  PH("ph"),
  CAT("cat"),
  NAME("name"),
  PID("pid"),
  TID("tid"),
  TS("ts"),
  DUR("dur"),
  ARGS("args"),
  CORRELATION("correlation"),
  BYTES("bytes"),
  DIMS("Input Dims"),
  OLD_DIMS("Input dims"),
  TYPES("Input type"),
  CONCRETE("Concrete Inputs"),
  SEQUENCE("Sequence number"),
  FUNCTION("Record function id"),
  COLLECTIVE("Collective name"),
  IN_ELEMENTS("In msg nelems"),
  OLD_IN_ELEMENTS("In msg size"),
  OUT_ELEMENTS("Out msg nelems"),
  OLD_OUT_ELEMENTS("Out msg size"),
  GROUP_SIZE("Group size"),
  TYPE("dtype"),
  GROUP_NAME("Process Group Name"),
  OLD_GROUP_NAME("Process Group ID"),
  GROUP_DESCRIPTION("Process Group Description"),
  GROUP_RANKS("Process Group Ranks"),
  SEQ("Seq"),
  COMMUNICATOR("Comms Id"),
  RANK("Rank");

  private static final Key[] ALL = values();

  static {
    for (int i = 0; i < ALL.length; i++) {
      ALL[i].number = i;
    }
  }

  private static final Interner TABLE =
      new Interner(Arrays.stream(ALL).map(key -> key.text).toArray(String[]::new));

  private final String text;
  private int number;

  Key(String text) {
    this.text = text;
  }

  /** Its number, or -1 for a key that is not read. */
  static int find(byte[] bytes, int start, int end) {
    return TABLE.find(bytes, start, end);
  }

  /** Its own number, by which {@link #of} gives it. */
  int number() {
    return number;
  }

  static Key of(int number) {
    return ALL[number];
  }
}
