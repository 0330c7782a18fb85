package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.Coverage;
import org.stage.testkit.SharedData;

/** Broken files as they really occur, each with what can be had of it. */
class MalformedTest {
  @TempDir Path folder;

  private static Path fixture(String name) {
    return SharedData.get("data/kineto").resolve("malformed").resolve(name);
  }

  private static String notes(Imported imported) {
    return imported.notes().stream().map(String::valueOf).collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "m01_truncated_mid_event.json, 9, 67040, true, 'middle at byte 53,956'",
    "m02_truncated_gzip.json.gz, 9, 67040, true, 'ends too early'",
    "m03_trailing_comma.json, 14, 110881, false, ''",
    "m04_unescaped_quotes_in_name.json, 14, 110881, false, 'line 171'",
    "m06_inf_bandwidth.json, 14, 110881, false, ''",
    "m09_uint64_comms_id.json, 14, 110881, false, ''",
    "m11_gzip_named_json.json, 14, 110881, false, ''",
    "m12_plain_named_gz.json.gz, 14, 110881, false, ''",
    "m13_top_level_array.json, 14, 110881, false, 'does not say its rank'",
    "m14_unclosed_array.json, 14, 110881, false, ''",
    "m18_dur_missing_negative_zero_string.json, 10, 71361, false,"
        + " 'duration missing 1, duration negative 1, duration zero 2'",
    "m20_metadata_after_events.json, 14, 110881, false, ''",
    "m22_overlapping_kernel_dur.json, 14, 9000104001, false, 'clip-overlaps'",
    "m24_correlation_zero.json, 14, 110881, false, 'no record of their launch'",
    "m25_extra_comma_before_args.json, 14, 110881, false, ''",
    "m28_two_documents.json, 14, 110881, false, 'behind its end at byte 66,899'",
  })
  void isReadAsFarAsItGoes(String name, long kernels, long ns, boolean truncated, String note)
      throws IOException {
    Imported imported = Imports.read(fixture(name));
    Coverage coverage = imported.profile().coverage();

    assertThat(coverage.kernels().count()).isEqualTo(kernels);
    assertThat(coverage.kernels().totalNs()).isEqualTo(ns);
    assertThat(coverage.contents().truncated()).isEqualTo(truncated);
    assertThat(coverage.contents().damaged()).isEqualTo(name.startsWith("m04") ? 1 : 0);
    assertThat(notes(imported)).contains(note);
  }

  @Test
  void metadataBehindTheEventsCount() throws IOException {
    Imported imported = Imports.read(fixture("m20_metadata_after_events.json"));

    assertThat(imported.profile().rank()).hasValue(5);
    assertThat(imported.profile().span().startNs()).isGreaterThan(1_700_000_000_000_000_000L);
  }

  @Test
  void overlapsAreClippedWhenAsked() throws IOException {
    Imported imported =
        Imports.read(fixture("m22_overlapping_kernel_dur.json"), "clip-overlaps", "true");

    assertThat(imported.profile().coverage().kernels().totalNs()).isLessThan(10_000_000);
  }

  @Test
  void anEmptyFileIsRefused() {
    Path file = fixture("m16_empty_file.json");

    assertThat(Files.exists(file)).isTrue();
    assertThatThrownBy(() -> Imports.read(file))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("is empty");
  }

  @Test
  void durationsThatDoNotAddUpAreRefused() throws IOException {
    String kernel = Events.kernel("k", 1_000, 8_000_000_000_000_000_000L, 1, "");
    String other = Events.kernel("k", 2_000, 8_000_000_000_000_000_000L, 2, "");
    Path file = folder.resolve("long.json");
    Files.writeString(file, "{\"traceEvents\": [" + kernel + ", " + other + "]}");

    assertThatThrownBy(() -> Imports.read(file))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("its durations together do not fit 63 bits of nanoseconds");
  }
}
