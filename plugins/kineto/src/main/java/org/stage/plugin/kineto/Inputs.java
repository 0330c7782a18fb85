package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.List;
import org.stage.plugin.kineto.format.Signature;

/**
 * The inputs of an operator.
 *
 * @param sizes of each input its sizes; empty for a scalar or what is not said; of a list of
 *     tensors one number, the elements of all
 * @param lists of each input that is a list of tensors their sizes; else empty
 * @param types of each input its type, as the profile calls it
 * @param values of each input its value as text, if kept
 */
record Inputs(
    List<List<Long>> sizes, List<List<List<Long>>> lists, List<String> types, List<String> values) {
  private static final int MOST = 4_096;

  static Inputs of(Signature signature) {
    List<List<List<Long>>> lists = new ArrayList<>();
    List<List<Long>> sizes = sizes(signature.dims(), lists);
    return new Inputs(sizes, lists, words(signature.types()), words(signature.values()));
  }

  /** The sizes of a list of tensors; empty if the input is none. */
  List<List<Long>> list(int index) {
    return index < lists.size() ? lists.get(index) : List.of();
  }

  List<Long> size(int index) {
    return index < sizes.size() ? sizes.get(index) : List.of();
  }

  String type(int index) {
    return index < types.size() ? types.get(index) : "";
  }

  String value(int index) {
    return index < values.size() ? values.get(index) : "";
  }

  /** The type of the first tensor; empty if not said. */
  String firstType() {
    for (int i = 0; i < types.size(); i++) {
      if (!ElementTypes.text(types.get(i)).isEmpty() && !size(i).isEmpty()) {
        return types.get(i);
      }
    }
    return "";
  }

  /** Elements of all inputs together. */
  long elements() {
    long sum = 0;
    for (List<Long> size : sizes) {
      sum = Math.max(0, Math.addExact(Math.min(sum, Long.MAX_VALUE / 2), elements(size)));
    }
    return sum;
  }

  /** The elements of a tensor of this size; 0 of a scalar, and of sizes beyond all measure. */
  static long elements(List<Long> size) {
    if (size.isEmpty()) {
      return 0;
    }
    long product = 1;
    for (long each : size) {
      if (each < 0 || (each > 0 && product > (Long.MAX_VALUE / 4) / each)) {
        return 0;
      }
      product *= each;
    }
    return product;
  }

  /** Reads {@code [[16, 559], [], [[2, 3], [4]]]}; nothing from what is not of this form. */
  private static List<List<Long>> sizes(String raw, List<List<List<Long>>> lists) {
    List<List<Long>> sizes = new ArrayList<>();
    List<List<Long>> list = new ArrayList<>();
    int depth = 0;
    List<Long> size = new ArrayList<>();
    long inner = -1;
    long number = -1;
    for (int i = 0; i < raw.length() && sizes.size() < MOST; i++) {
      char c = raw.charAt(i);
      if (c >= '0' && c <= '9') {
        number = Math.min(Long.MAX_VALUE / 100, Math.max(0, number)) * 10 + (c - '0');
        continue;
      }
      if (number >= 0) {
        size.add(number);
        number = -1;
      }
      if (c == '[') {
        depth++;
        size = depth <= 3 ? new ArrayList<>() : size;
        inner = depth == 2 ? -1 : inner;
      } else if (c == ']') {
        depth--;
        if (depth == 2) {
          inner = Math.max(0, inner) + elements(size);
          list.add(List.copyOf(size));
          size = new ArrayList<>();
        } else if (depth == 1) {
          sizes.add(inner >= 0 ? List.of(inner) : List.copyOf(size));
          lists.add(inner >= 0 ? List.copyOf(list) : List.of());
          list.clear();
        }
      }
    }
    return sizes;
  }

  /** Reads {@code ["float", ""]}. */
  private static List<String> words(String raw) {
    List<String> words = new ArrayList<>();
    int open = -1;
    for (int i = 0; i < raw.length() && words.size() < MOST; i++) {
      char c = raw.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        if (open >= 0) {
          words.add(raw.substring(open, i));
          open = -1;
        } else {
          open = i + 1;
        }
      }
    }
    return words;
  }
}
