package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.workloadfile.KeyType.ListOf;
import org.stage.workloadfile.KeyType.NameOrPath;
import org.stage.workloadfile.KeyType.Named;
import org.stage.workloadfile.KeyType.OneOf;
import org.stage.workloadfile.KeyType.Section;
import org.stage.workloadfile.KeyType.Text;
import org.stage.workloadfile.KeyType.Unbuilt;
import org.stage.workloadfile.KeyType.WordOrList;
import org.stage.workloadfile.NumberType.Decimal;
import org.stage.workloadfile.NumberType.Whole;

/** The keys of the workload file, from the table in {@code schema/keys.yaml}. */
final class Keys {
  /** Most devices of a mesh. */
  static final long DEVICES = 1 << 24;

  /** Axes of a mesh in the default order, innermost first. */
  static final List<String> AXES = List.of("tp", "cp", "ep", "dp", "pp");

  private static final Text NAME =
      new Text(
          "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
          "a name of letters, digits, dots, dashes and underscores, at most 100");
  private static final Text LINE = new Text("[^\\n]{0,1000}", "a line of text");
  private static final Text PATH = new Text("[^\\n]{1,1000}", "a path");
  private static final Text PATTERN =
      new Text("[^\\s]{1,200}", "a pattern of names, such as layers.*.mlp");
  private static final double MOST = 1e9;

  /** By path, what other programs call a key. */
  private static final SourceNode.Fields ELSEWHERE = Resources.map("/schema/elsewhere.yaml");

  private static final Map<String, Key> BY_PATH = index();

  private Keys() {}

  /** All keys by path, in the order of the table. */
  static Map<String, Key> all() {
    return BY_PATH;
  }

  /** The key at {@code path}, which must exist. */
  static Key at(String path) {
    Key key = BY_PATH.get(path);
    if (key == null) {
      throw new IllegalArgumentException("no key " + path);
    }
    return key;
  }

  /** The keys of the map at {@code path}; of the file, if that is empty. */
  static List<Key> in(String path) {
    return BY_PATH.values().stream()
        .filter(key -> key.parent().equals(path) && !key.path().endsWith("[]"))
        .toList();
  }

  /** The key that other programs call {@code name}, in any case and with dashes. */
  static Optional<Key> calledElsewhere(String name) {
    String word = name.toLowerCase(Locale.ROOT).replace('-', '_');
    return ELSEWHERE.keys().stream()
        .filter(path -> Resources.words(ELSEWHERE, path).contains(word))
        .map(Keys::at)
        .findFirst();
  }

  private static Map<String, Key> index() {
    Map<String, Key> byPath = new LinkedHashMap<>();
    Resources.map("/schema/keys.yaml")
        .fields()
        .forEach((path, row) -> byPath.put(path, key(path, (SourceNode.Fields) row)));
    return Collections.unmodifiableMap(byPath);
  }

  private static Key key(String path, SourceNode.Fields row) {
    return new Key(
        path,
        type(row),
        raw(row.get("default")),
        raw(row.get("otherwise")),
        row.get("required") != null,
        raw(row.get("symbol")),
        raw(row.get("means")));
  }

  private static KeyType type(SourceNode.Fields row) {
    if (row.get("is") instanceof SourceNode.Items items) {
      OneOf word = oneOf(items.items(), row.get("later"));
      return switch (raw(row.get("or_list_of"))) {
        case "" -> word;
        case "pattern" -> new WordOrList(word, PATTERN);
        case "others" ->
            new WordOrList(word, oneOf(items.items().subList(1, items.items().size()), null));
        default -> throw new IllegalStateException("no list of " + row);
      };
    }
    String kind = raw(row.get("is"));
    if (kind.contains("..")) {
      String[] parts = kind.split("\\.\\.| or ");
      String word = parts.length > 2 ? parts[2] : "";
      return new Whole(Long.parseLong(parts[0]), Long.parseLong(parts[1]), word);
    }
    return switch (kind) {
      case "flag" ->
          new OneOf(SourceNode.Form.FLAG, List.of("true", "false"), List.of(), List.of());
      case "rate" -> new Decimal(false, MOST);
      case "number" -> new Decimal(true, MOST);
      case "share" -> new Decimal(false, 1);
      case "name" -> NAME;
      case "line" -> LINE;
      case "preset" -> preset();
      case "map" -> new Section(false, null);
      case "map or preset" -> new Section(false, preset());
      case "map or none" ->
          new Section(
              false, new OneOf(SourceNode.Form.WORD, List.of("none"), List.of(), List.of()));
      case "device" -> device();
      case "map or device" -> new Section(false, device());
      case "path" -> PATH;
      case "pattern" -> PATTERN;
      case "map or path" -> new Section(false, PATH);
      case "maps by pattern" -> new Named(PATTERN, "");
      case "lists by pattern or uniform" -> new Named(PATTERN, "uniform");
      case "options or name" -> new Section(true, NAME);
      case "options or path" -> new Section(true, PATH);
      case "list" -> new ListOf(false);
      case "set" -> new ListOf(true);
      case "no map" -> new Unbuilt(true);
      case "no list" -> new Unbuilt(false);
      default -> throw new IllegalStateException("no kind of key " + kind);
    };
  }

  private static NameOrPath preset() {
    return new NameOrPath(
        new OneOf(SourceNode.Form.WORD, Presets.NAMES, Presets.PLANNED, List.of()),
        "Hugging Face config.json");
  }

  private static NameOrPath device() {
    return new NameOrPath(
        new OneOf(SourceNode.Form.WORD, HardwarePresets.NAMES, List.of(), List.of()),
        "file of a device");
  }

  private static OneOf oneOf(List<SourceNode> now, @Nullable SourceNode later) {
    List<String> words = new ArrayList<>();
    List<Planned> planned = new ArrayList<>();
    for (SourceNode item :
        later instanceof SourceNode.Items items ? items.items() : List.<SourceNode>of()) {
      Arrays.stream(Planned.values())
          .filter(each -> each.text().equals(raw(item)))
          .findFirst()
          .ifPresentOrElse(planned::add, () -> words.add(raw(item)));
    }
    return new OneOf(
        ((SourceNode.Scalar) now.get(0)).form(),
        now.stream().map(Keys::raw).toList(),
        words,
        planned);
  }

  private static String raw(@Nullable SourceNode node) {
    return node instanceof SourceNode.Scalar scalar ? scalar.raw() : "";
  }
}
