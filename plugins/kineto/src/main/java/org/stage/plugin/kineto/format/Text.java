package org.stage.plugin.kineto.format;

import java.nio.charset.StandardCharsets;

/** Text from the bytes of a string; bytes that are no UTF-8 become a mark. */
final class Text {
  private Text() {}

  static String decode(byte[] bytes, int start, int end, boolean escaped) {
    String raw = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    return escaped || raw.indexOf('\\') >= 0 ? unescaped(raw) : raw;
  }

  /** As JSON has it; a backslash before anything else stands for itself. */
  private static String unescaped(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c != '\\' || i + 1 == raw.length()) {
        text.append(c);
        continue;
      }
      char next = raw.charAt(++i);
      switch (next) {
        case '"', '\\', '/' -> text.append(next);
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> i += unicode(raw, i, text);
        default -> text.append(c).append(next);
      }
    }
    return text.toString();
  }

  private static int unicode(String raw, int at, StringBuilder text) {
    if (at + 4 < raw.length()) {
      try {
        text.append((char) Integer.parseInt(raw.substring(at + 1, at + 5), 16));
        return 4;
      } catch (NumberFormatException e) {
        // as it stands, below
      }
    }
    text.append("\\u");
    return 0;
  }
}
