package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.Coverage;

/** Each kind of damage at each place: only the event that is broken may be lost. */
class DamageTest {
  private static final String PYTHON = "train.py(1): <lambda>";

  @TempDir Path folder;

  /** Breaks the name of an event that does not matter; the kernels must all be there. */
  enum Damage {
    QUOTES(PYTHON, "say \"hi\" twice"),
    QUOTE(PYTHON, "an inch is 1\" long"),
    QUOTE_AND_BREAK(PYTHON, "first\n\"second\"\n, third"),
    LOST_END(PYTHON + "\"", PYTHON),
    LOST_BEGIN("\"" + PYTHON, PYTHON),
    BACKSLASHES(PYTHON, "C:\\Users\\new\\temp"),
    LAST_BACKSLASH(PYTHON, "C:\\Users\\"),
    INFINITE("\"Python id\": 1", "\"bandwidth\": inf, \"a\": -inf, \"b\": nan, \"c\": -nan(ind)"),
    DOUBLE_COMMA("\"Python id\": 1", "\"a\": 1,, \"b\": 2,"),
    MISSING_VALUE("\"Python id\": 1", "\"a\": , \"b\":"),
    NESTED_QUOTES("\"Python id\": 1", "\"a\": [{\"b\": [\"say \"hi\" twice\"]}]"),
    LOST_BRACKET("\"Python id\": 1", "\"a\": [1, 2"),
    LOST_BRACE("\"Python id\": 1}", "\"Python id\": 1"),
    CONTROL(PYTHON, "\u0001\u001b[0m\t"),
    HUGE_NUMBER("\"Python id\": 1", "\"a\": 18446744073709551615, \"b\": 1e999"),
    TWICE("\"ts\"", "\"name\": \"again\", \"ts\": 5, \"ts\""),
    GARBAGE("{\"Python id\": 1}}", "{\"Python id\": 1}}; @!");

    private final String from;
    private final String to;

    Damage(String from, String to) {
      this.from = from;
      this.to = to;
    }

    String on(String event) {
      return event.replace(from, to);
    }
  }

  private Coverage read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8)).profile().coverage();
  }

  private Imported read(byte[] bytes) throws IOException {
    return Imports.read(Files.write(folder.resolve("trace.json"), bytes));
  }

  private static List<String> damaged(List<Integer> at, UnaryOperator<String> damage) {
    List<String> events = new ArrayList<>(Events.products());
    at.forEach(index -> events.set(index, damage.apply(events.get(index))));
    return events;
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void losesNoKernelWhereverItIs(Damage damage) throws IOException {
    for (Events.Layout layout : Events.Layout.values()) {
      for (List<Integer> at : List.of(List.of(4), List.of(24), List.of(49), List.of(4, 9, 49))) {
        Coverage coverage = read(Events.document(layout, damaged(at, damage::on)));

        assertThat(
                List.of(
                    coverage.kernels().count(),
                    coverage.launches().owned(),
                    coverage.kernels().totalNs()))
            .as("%s of %s at %s", damage, layout, at)
            .containsExactly(10L, 10L, 10_055L);
        assertThat(coverage.contents().damaged()).isLessThanOrEqualTo(at.size());
        assertThat(coverage.contents().truncated()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void joinsAnyOtherDamage(Damage damage) throws IOException {
    for (Damage other : Damage.values()) {
      List<String> events = damaged(List.of(9), damage::on);
      events.set(14, other.on(events.get(14)));

      assertThat(read(Events.document(Events.Layout.LINES, events)).kernels().count())
          .as("%s and %s", damage, other)
          .isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void metadataBehindItCount(Damage damage) throws IOException {
    String text = Events.document(Events.Layout.LINES, damaged(List.of(49), damage::on));

    assertThat(read(text.getBytes(StandardCharsets.UTF_8)).profile().rank()).hasValue(3);
  }

  @ParameterizedTest
  @EnumSource(Events.Layout.class)
  void quotationMarksInTheNameOfAKernelAreMended(Events.Layout layout) throws IOException {
    List<String> events = damaged(List.of(3, 48), e -> e.replace("gemm_kernel", "say \"gemm\" x"));

    Coverage coverage = read(Events.document(layout, events));

    assertThat(
            List.of(
                coverage.kernels().count(),
                coverage.kernels().totalNs(),
                coverage.contents().damaged()))
        .containsExactly(10L, 10_055L, 2L);
  }

  @ParameterizedTest
  @EnumSource(Events.Layout.class)
  void aFileMayEndAnywhere(Events.Layout layout) throws IOException {
    String text = Events.document(layout, Events.products().subList(0, 10));
    int begin = text.indexOf("\"traceEvents\": [") + 16;
    int step = layout == Events.Layout.LINES ? 1 : 7;
    for (int cut = begin; cut < text.length() - 2; cut += step) {
      String head = text.substring(0, cut);
      Coverage coverage = read(head);

      assertThat(coverage.contents().truncated()).as("cut at %d", cut).isTrue();
      assertThat(coverage.kernels().count()).as("cut at %d", cut).isEqualTo(complete(head));
      assertThat(coverage.contents().damaged()).isZero();
    }
  }

  private static long complete(String head) {
    long kernels = 0;
    for (int at = head.indexOf("\"kernel\""); at >= 0; at = head.indexOf("\"kernel\"", at + 1)) {
      kernels += head.indexOf("}}", at) >= 0 ? 1 : 0;
    }
    return kernels;
  }

  @Test
  void aCompressedFileMayEndAnywhere() throws IOException {
    byte[] text =
        Events.document(Events.Layout.LINES, Events.products()).getBytes(StandardCharsets.UTF_8);
    byte[] zipped = gzip(text);
    long before = 0;
    for (int cut = zipped.length / 2; cut < zipped.length; cut++) {
      Coverage coverage = read(Arrays.copyOf(zipped, cut)).profile().coverage();

      assertThat(coverage.contents().truncated()).as("cut at %d", cut).isTrue();
      assertThat(coverage.kernels().count()).isGreaterThanOrEqualTo(before);
      before = coverage.kernels().count();
    }
    assertThat(before).isEqualTo(10);
  }

  @Test
  void compressedMembersMayFollowEachOther() throws IOException {
    byte[] text =
        Events.document(Events.Layout.LINES, Events.products()).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(gzip(Arrays.copyOf(text, 1000)));
    both.write(gzip(Arrays.copyOfRange(text, 1000, text.length)));

    assertThat(read(both.toByteArray()).profile().coverage().kernels().count()).isEqualTo(10);
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void anArrayNeedsNoEndAndNoMetadata() throws IOException {
    String events = Events.joined(Events.Layout.LINES, Events.products());
    for (String text : List.of("[" + events + "]", "[" + events, "[" + events + ",\n")) {
      Coverage coverage = read(text);

      assertThat(coverage.kernels().count()).isEqualTo(10);
      assertThat(coverage.contents().truncated()).isFalse();
    }
  }

  @Test
  void damageOutsideOfTheEventsLosesNone() throws IOException {
    String document = Events.document(Events.Layout.LINES, Events.products());
    List<String> broken =
        List.of(
            document.replace("\"trace.json\"", "\"a \"b\" c\""),
            document.replace("\"trace.json\"", "[\"INFO: \"x\" {]\", \"y]"),
            document.replace("\"schemaVersion\": 1", "\"username\": \"a\"b\", \"c: {[\""),
            document.replace("\"schemaVersion\": 1", "\"host_name\": \"C:\\dir\\\""),
            "\uFEFF" + document);
    for (String text : broken) {
      Imported imported = read(text.getBytes(StandardCharsets.UTF_8));

      assertThat(imported.profile().coverage().kernels().count())
          .as(text.substring(0, 60))
          .isEqualTo(10);
      assertThat(imported.profile().rank()).hasValue(3);
    }
  }

  @Test
  void bytesThatAreNoUtf8AreRead() throws IOException {
    byte[] bytes =
        Events.document(Events.Layout.LINES, Events.products())
            .replace("gemm_kernel", "gemm_k\u00ff")
            .getBytes(StandardCharsets.ISO_8859_1);

    assertThat(read(bytes).profile().coverage().kernels().count()).isEqualTo(10);
  }
}
