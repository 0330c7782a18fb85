package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Job;
import org.stage.job.Origin;
import org.stage.job.Origins;
import org.stage.schedule.Schedule;
import org.stage.schedule.Schedules;

/** The table of keys against those who read it. */
class KeysTest {
  private static final String MODEL =
      "model: {family: llama, layers: 8, hidden: 128, heads: 8, ffn: 128, vocab: 1024%s}";

  /** Dense; in chunks; of experts. Every key of a training step may be said in one of them. */
  private static final List<String> JOBS =
      List.of(
          "{%s, mesh: {dp: 4, tp: 2, pp: 2}, training: {global_batch: 16, seq: 32}}"
              .formatted(MODEL.formatted("")),
          ("{%s, mesh: {pp: 2}, training: {global_batch: 16, seq: 32, schedule: interleaved,"
                  + " virtual_stages: 2}}")
              .formatted(MODEL.formatted("")),
          ("{%s, mesh: {ep: 2, tp: 2}, training: {global_batch: 16, seq: 32,"
                  + " sequence_parallel: true, precision: fp8,"
                  + " expert_load: {layers.*: [1, 2, 3, 4]},"
                  + " expert_capacity: {factor: 1.5}}}")
              .formatted(MODEL.formatted(", experts: 4, experts_per_token: 2, expert_ffn: 32")));

  @Test
  void theSchedulesOfTheTableAreThoseThereAre() {
    KeyType.OneOf words = (KeyType.OneOf) Keys.at("training.schedule").type();
    assertThat(words.now())
        .containsExactlyInAnyOrderElementsOf(
            Schedules.standard().all().stream().map(Schedule::name).toList());
  }

  @ParameterizedTest
  @MethodSource
  void aValueOfTheKeyMakesAnotherJob(String path) {
    assertThat(values(Keys.at(path).type()))
        .as("values of which one is read")
        .anyMatch(value -> JOBS.stream().anyMatch(job -> differs(job, path + "=" + value)));
  }

  /**
   * Those of a training step, if they take more than one value; items of a list are tried with it.
   */
  static Stream<String> aValueOfTheKeyMakesAnotherJob() {
    return Keys.all().values().stream()
        .filter(key -> key.path().startsWith("training."))
        .filter(key -> !key.path().endsWith("[]") && !key.path().endsWith(".*"))
        .filter(key -> !(key.type() instanceof KeyType.OneOf one && one.now().size() == 1))
        .map(Key::path);
  }

  /** Some values of a kind; of a list those of two stages. */
  private static List<String> values(KeyType type) {
    if (type instanceof KeyType.OneOf one) {
      return one.now();
    } else if (type instanceof KeyType.WordOrList words) {
      return words.word().now();
    } else if (type instanceof NumberType.Whole whole) {
      return LongStream.of(1, 2, 3, 4, 8, 32, whole.max())
          .filter(value -> whole.min() <= value && value <= whole.max())
          .mapToObj(Long::toString)
          .toList();
    } else if (type instanceof NumberType.Decimal) {
      return List.of("0.5", "2");
    } else if (type instanceof KeyType.ListOf) {
      return List.of("[3, 5]");
    } else if (type instanceof KeyType.Named named) {
      return List.of(named.word());
    } else if (type instanceof KeyType.Section section && section.instead() != null) {
      return values(section.instead());
    }
    throw new IllegalArgumentException("no value is known of " + type.expected());
  }

  private static boolean differs(String text, String override) {
    Job usual = read(text);
    try {
      return !read(text, override).equals(usual);
    } catch (InputException refused) {
      return false;
    }
  }

  /** What a job says, wherever it stands. */
  private static Job read(String text, String... overrides) {
    Job job = JobText.job(text, overrides);
    Origins nowhere = new Origins(new Origin("", 0, ""), Map.of());
    return new Job(
        job.name(), job.model(), job.mesh(), job.strategy(), job.step(), job.platform(), nowhere);
  }
}
