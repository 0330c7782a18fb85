package org.stage.backend.simai.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.backend.simai.format.Fault.Level;

/** Reads the first line as SimAI does, and checks it. */
final class HeaderCheck {
  /** Policies whose degrees SimAI reads; it divides by zero under the others. */
  private static final Set<String> TRANSFORMER =
      Set.of("HYBRID_TRANSFORMER_FWD_IN_BCKWD", "HYBRID_TRANSFORMER");

  /** Rows have one field more under it. */
  private static final String CUSTOMIZED = "HYBRID_CUSTOMIZED";

  private static final Set<String> OTHERS =
      Set.of(
          "DATA",
          "MODEL",
          "HYBRID_DATA_MODEL",
          "HYBRID_MODEL_DATA",
          "HYBRID_DLRM",
          "HYBRID_DLRM_ENHANCED",
          CUSTOMIZED,
          "MICRO",
          "DISTRIBUTED_INFERENCE");

  private static final String TP = "model_parallel_NPU_group:";

  /** A number is what stands in front; what follows is ignored. */
  private static final Pattern LEADING = Pattern.compile("([+-]?\\d{1,18}).*");

  private final List<String> words;
  private final FileFaults faults;
  private final Map<String, Long> values = new HashMap<>();

  private HeaderCheck(String line, FileFaults faults) {
    this.words = List.of(line.strip().split("\\s+"));
    this.faults = faults;
  }

  /** Whether a file that begins with {@code line} is meant for SimAI. */
  static boolean isHeader(String line) {
    String policy = line.strip().split("\\s+", 2)[0];
    return TRANSFORMER.contains(policy) || OTHERS.contains(policy) || line.contains(TP);
  }

  /**
   * Checks the first line.
   *
   * @return what rows are checked against
   */
  static Degrees check(String line, FileFaults faults) {
    return new HeaderCheck(line, faults).check();
  }

  private Degrees check() {
    String policy = words.get(0);
    int fields = policy.equals(CUSTOMIZED) ? Degrees.FIELDS + 1 : Degrees.FIELDS;
    if (!TRANSFORMER.contains(policy)) {
      if (OTHERS.contains(policy)) {
        faults.warning(
            1,
            "SimAI-Analytical reads no degrees under the policy " + policy,
            "It stops by a division by zero; the ns-3 simulator may take it.");
      } else {
        faults.error(
            1,
            "'" + policy + "' is no policy",
            "SimAI stops. AICB writes HYBRID_TRANSFORMER_FWD_IN_BCKWD.");
      }
      return Degrees.unknown(fields);
    }
    for (int i = 1; i + 1 < words.size(); i++) {
      Matcher number = LEADING.matcher(words.get(i + 1));
      if (words.get(i).endsWith(":") && number.matches()) {
        values.putIfAbsent(words.get(i), Long.parseLong(number.group(1)));
      }
    }
    checkDegrees();
    checkTransfers();
    checkCheckpoints();
    long ranksOfStage = Math.max(1, ranksOfTensorAndPipeline());
    return new Degrees(
        fields, (int) value(TP), (int) value("ep:"), (int) (value("all_gpus:") / ranksOfStage));
  }

  /** {@link Long#MAX_VALUE} where the product of what is written does not fit. */
  private long ranksOfTensorAndPipeline() {
    long tp = value(TP);
    long pp = value("pp:");
    boolean fits = pp == 0 || Math.abs(tp) <= Long.MAX_VALUE / Math.abs(pp);
    return fits ? tp * pp : Long.MAX_VALUE;
  }

  private void checkDegrees() {
    for (String key : List.of(TP, "ep:", "pp:", "vpp:", "ga:")) {
      if (value(key) < 1) {
        faults.error(
            1, "'" + key + " <number above 0>' is missing", "SimAI divides by it and stops.");
      }
    }
    long gpus = value("all_gpus:");
    long group = ranksOfTensorAndPipeline();
    if (gpus < 1 || (group > 0 && gpus % group != 0)) {
      faults.warning(
          1,
          "all_gpus: " + gpus + " is no multiple of the " + group + " ranks of tp and pp",
          "SimAI takes the rounded quotient for the data-parallel degree.");
    }
  }

  private void checkTransfers() {
    long bytes = values.getOrDefault("pp_comm:", values.getOrDefault("pp_comm", 0L));
    if (bytes != (int) bytes) {
      faults.error(1, "pp_comm: " + bytes + " does not fit 31 bits", "SimAI aborts.");
    }
    if (value("pp:") == 1 && bytes != 0) {
      faults.warning(
          1, "pp_comm: " + bytes + " with one stage", "SimAI warns of a format mismatch.");
    }
    if (value("pp:") > 1 && bytes == 0) {
      faults.add(
          Level.NOTE,
          1,
          "pp_comm: 0 with " + value("pp:") + " stages",
          "SimAI warns of a format mismatch, and runs: transfers between stages take no time.");
    }
  }

  private void checkCheckpoints() {
    for (String key : List.of("checkpoints:", "checkpoint_initiates:")) {
      if (value(key) > 1) {
        faults.warning(
            1,
            key + " has " + value(key) + " layers",
            "SimAI keeps the first only. Add recomputation to the input-gradient column.");
      }
    }
  }

  private long value(String key) {
    return values.getOrDefault(key, 0L);
  }
}
