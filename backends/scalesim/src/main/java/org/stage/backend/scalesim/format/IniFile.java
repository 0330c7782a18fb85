package org.stage.backend.scalesim.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A configuration, read as Python's configparser reads it: keys in any case, sections not. */
public final class IniFile {
  private final Map<String, Map<String, String>> sections = new LinkedHashMap<>();

  private IniFile() {}

  /**
   * Reads {@code file}.
   *
   * @throws FormatException if configparser would stop
   */
  public static IniFile read(Path file) throws IOException {
    IniFile ini = new IniFile();
    String section = "";
    int number = 0;
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
        continue;
      }
      if (text.startsWith("[") && text.endsWith("]")) {
        section = text.substring(1, text.length() - 1);
        if (ini.sections.put(section, new LinkedHashMap<>()) != null) {
          throw new FormatException(file, number, "section [" + section + "] is there twice");
        }
        continue;
      }
      ini.add(file, number, section, text);
    }
    return ini;
  }

  private void add(Path file, int number, String section, String text) throws FormatException {
    Map<String, String> values = sections.get(section);
    String[] parts = text.split("[=:]", 2);
    if (values == null || parts.length < 2) {
      throw new FormatException(
          file,
          number,
          values == null ? "'" + text + "' stands in no section" : "'" + text + "' has no value");
    }
    String key = parts[0].strip().toLowerCase(Locale.ROOT);
    if (values.put(key, parts[1].strip()) != null) {
      throw new FormatException(file, number, parts[0].strip() + " is there twice");
    }
  }

  /** Whether there is a section of that name. */
  public boolean has(String section) {
    return sections.containsKey(section);
  }

  /** The value of a key. */
  public Optional<String> get(String section, String key) {
    return Optional.ofNullable(
        sections.getOrDefault(section, Map.of()).get(key.toLowerCase(Locale.ROOT)));
  }
}
