package org.stage.analyze.advice;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.stage.analyze.advice.Advice.Subject;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.job.Nearest;
import org.stage.schedule.Costs;
import org.stage.schedule.Simulation;

/** Degrees that do not fit the model, the batch or the network. */
final class MeshRules {
  /** Below so many tokens a rank, a layer's products are short beside the exchange of keys. */
  private static final int SHORT = 2048;

  private static final double MOST_PADDING = 0.1;

  private MeshRules() {}

  static Optional<Diagnostic> tensorParallelismLeavesTheNode(Subject subject) {
    List<NetworkDimension> network = subject.job().platform().network();
    int tp = subject.degree("tp");
    if (tp == 1 || network.size() < 2 || network.get(0).gbPerS() <= network.get(1).gbPerS()) {
      return Optional.empty();
    }
    int inner = 1;
    for (MeshAxis axis : subject.job().mesh().axes()) {
      if (axis.name().equals("tp")) {
        break;
      }
      inner *= axis.degree();
    }
    int node = network.get(0).size();
    if (inner * tp <= node) {
      return Optional.empty();
    }
    String remedy =
        inner < node
            ? "Largest within a node: " + largestDivisor(tp, node / inner) + "."
            : "Put tp first in mesh.order.";
    return subject.warn(
        "mesh.tp",
        String.format(
            Locale.ROOT,
            "%d ranks reach beyond a node of %d devices: every layer's collectives go over %s GB/s"
                + " instead of %s",
            tp,
            node,
            number(network.get(1).gbPerS()),
            number(network.get(0).gbPerS())),
        remedy);
  }

  static Optional<Diagnostic> keyValueHeadsAreReplicated(Subject subject) {
    int tp = subject.degree("tp");
    int heads = subject.job().model().kvHeads();
    // One head is multi-query attention, which has no more to give.
    if (tp <= heads || heads == 1 || tp > subject.job().model().heads()) {
      return Optional.empty();
    }
    return subject.warn(
        "mesh.tp",
        String.format(
            Locale.ROOT,
            "%d exceeds the %d key/value heads of %s: %d ranks hold a copy of each, and sum its"
                + " gradients",
            tp,
            heads,
            subject.job().model().name(),
            tp / heads),
        "Largest without copies: " + heads + ".");
  }

  /** Heads that are whole on each rank by a rule of the user are his choice. */
  static Optional<Diagnostic> headsAreReplicated(Subject subject) {
    int tp = subject.degree("tp");
    int heads = subject.job().model().heads();
    long parts = Nearest.commonDivisor(tp, heads);
    boolean ruled = subject.job().origins().byKey().containsKey("rules.heads");
    if (tp <= heads || ruled) {
      return Optional.empty();
    }
    boolean sharesQueries = subject.job().origins().byKey().containsKey("rules.core_seq");
    return subject.warn(
        "mesh.tp",
        String.format(
            Locale.ROOT,
            "%d exceeds the %d attention heads of %s: %d ranks share them out, and the products of"
                + " each head%s are computed %d times over",
            tp,
            heads,
            subject.job().model().name(),
            parts,
            sharesQueries ? "" : ", and its scores,",
            tp / parts),
        sharesQueries
            ? "Largest without copies: " + heads + "."
            : "Largest without copies: " + heads + "; with rules.core_seq: tp scores have none.");
  }

  /** The idle share is that of the order of the passes with equal costs. */
  static Optional<Diagnostic> microBatchesDoNotFillThePipeline(Subject subject) {
    int stages = subject.degree("pp");
    int micro = subject.batch().microBatches();
    if (micro >= stages) {
      return Optional.empty();
    }
    double idle = Simulation.of(subject.job().pipeline(), Costs.EQUAL).idleShare().decimal();
    long batch =
        (long) stages * subject.degree("dp") * subject.degree("ep") * subject.batch().micro();
    return subject.warn(
        "training.global_batch",
        String.format(
            Locale.ROOT,
            "%s not fill %d pipeline stages, which idle %.0f %% of the time",
            micro == 1 ? "1 micro-batch does" : micro + " micro-batches do",
            stages,
            100 * idle),
        "With " + batch + " there are as many as stages" + smaller(subject) + ".");
  }

  private static String smaller(Subject subject) {
    return subject.batch().micro() > 1 ? "; or lower training.micro_batch" : "";
  }

  static Optional<Diagnostic> sequencesAreTooShortToSplit(Subject subject) {
    int cp = subject.degree("cp");
    int seq = subject.batch().seq();
    if (cp == 1 || seq / cp >= SHORT) {
      return Optional.empty();
    }
    int sensible = largestDivisor(cp, seq / SHORT);
    return subject.warn(
        "mesh.cp",
        cp
            + " leaves "
            + seq / cp
            + " tokens of a sequence to a rank, for which keys and values are exchanged in every"
            + " layer",
        "Largest with "
            + SHORT
            + " tokens a rank: "
            + sensible
            + "; data parallelism splits whole sequences.");
  }

  static Optional<Diagnostic> expertsGetNoTokens(Subject subject) {
    return subject
        .job()
        .model()
        .experts()
        .flatMap(
            experts -> {
              int replicas = subject.degree("dp") * subject.degree("ep");
              long samples = (long) subject.batch().micro() * replicas;
              long tokens = Math.multiplyExact(samples, subject.batch().seq());
              long rows = Math.multiplyExact(tokens, experts.perToken());
              if (rows >= experts.count()) {
                return Optional.empty();
              }
              return subject.warn(
                  "mesh.ep",
                  String.format(
                      Locale.ROOT,
                      "a micro-batch of %d tokens meets %d of %d experts of a layer: %d of %d ranks"
                          + " have nothing to compute",
                      tokens,
                      rows,
                      experts.count(),
                      idle(rows, experts.count(), subject.degree("ep")),
                      subject.degree("ep")),
                  "Raise training.micro_batch or training.seq.");
            });
  }

  /** Experts lie on ranks in order; at best each token's expert is another one. */
  private static long idle(long rows, int experts, int ep) {
    long each = experts / ep;
    return ep - Math.min(ep, (rows + each - 1) / each);
  }

  static Optional<Diagnostic> vocabularyIsMostlyPadding(Subject subject) {
    int vocab = subject.job().model().vocab();
    int padded = subject.job().strategy().tensor().paddedVocab();
    if (padded <= vocab * (1 + MOST_PADDING)) {
      return Optional.empty();
    }
    return subject.warn(
        "training.vocab_multiple",
        String.format(
            Locale.ROOT,
            "pads the vocabulary of %d to %d, %.0f %% more to compute, hold and send",
            vocab,
            padded,
            100.0 * (padded - vocab) / vocab),
        "Lower it: 1 pads to a multiple of tp.");
  }

  /** The largest divisor of {@code of} that does not exceed {@code most}, at least 1. */
  static int largestDivisor(int of, int most) {
    for (int divisor = Math.min(of, most); divisor > 1; divisor--) {
      if (of % divisor == 0) {
        return divisor;
      }
    }
    return 1;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
