package org.stage.backward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.operator.OperatorRules;
import org.stage.testkit.text.GraphTextParser;

class DifferentiationTest {
  /** Operators of the backward graph of a module with these lines, as text. */
  private static List<String> backward(String... lines) {
    return Differentiation.of(module(lines), OperatorRules.standard()).operators().stream()
        .map(operator -> operator.name() + ": " + operator)
        .toList();
  }

  private static Module module(String... lines) {
    return GraphTextParser.parse(
        "module m\naxis batch, seq, kv_seq = seq, embed, mlp, vocab, heads, kv_heads, head_dim\n"
            + String.join("\n", lines)
            + "\n");
  }

  @Test
  void theGradientOfEachFactorOfAProductIsAProductWithTheOther() {
    assertThat(
            backward(
                "input x[batch, embed]",
                "parameter w[embed, mlp]:weight",
                "up: y[batch, mlp] = einsum(x[batch, embed], w[embed, mlp])",
                "output y"))
        .containsExactly(
            "up.dgrad: x.grad[batch, embed] = einsum(y.grad[batch, mlp], w[embed, mlp])",
            "up.wgrad: w.grad[embed, mlp] = einsum(x[batch, embed], y.grad[batch, mlp])");
  }

  @Test
  void aProductOfTwoActivationsHasTwoGradientsOfThatKind() {
    assertThat(
            backward(
                "input q[seq, embed]",
                "input k[kv_seq, embed]",
                "scores: s[seq, kv_seq] = einsum(q[seq, embed], k[kv_seq, embed])",
                "output s"))
        .containsExactly(
            "scores.grad_0: q.grad[seq, embed] = einsum(s.grad[seq, kv_seq], k[kv_seq, embed])",
            "scores.grad_1: k.grad[kv_seq, embed] = einsum(q[seq, embed], s.grad[seq, kv_seq])");
  }

  /** Each kind with inputs {@code x[, z]}: what its gradient reads and writes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gelu(x[batch, embed]) | x.grad[batch, embed] = gelu_grad(y.grad[batch, embed], x[batch, embed])",
        "swiglu(x[batch, embed], z[batch, embed]) | x.grad[batch, embed], z.grad[batch, embed] ="
            + " swiglu_grad(y.grad[batch, embed], x[batch, embed], z[batch, embed])",
        "softmax(x[batch, embed]) | x.grad[batch, embed] = softmax_grad(y.grad[batch, embed], y[batch, embed])",
        "dropout(x[batch, embed]) | x.grad[batch, embed] = dropout_grad(y.grad[batch, embed], m[batch, embed])",
        "rotary(x[batch, embed]) | x.grad[batch, embed] = rotary_grad(y.grad[batch, embed])",
        "rms_norm(x[batch, embed], w[embed]) | x.grad[batch, embed], w.grad[embed] ="
            + " rms_norm_grad(y.grad[batch, embed], x[batch, embed], w[embed])",
        "layer_norm(x[batch, embed], w[embed]) | x.grad[batch, embed], w.grad[embed] ="
            + " layer_norm_grad(y.grad[batch, embed], x[batch, embed], w[embed])",
        "layer_norm(x[batch, embed], w[embed], b[embed]) | x.grad[batch, embed], w.grad[embed], b.grad[embed] ="
            + " layer_norm_grad(y.grad[batch, embed], x[batch, embed], w[embed])",
        "add(x[batch, embed], b[embed]) | b.grad[embed] = reduce_sum(y.grad[batch, embed])",
      })
  void eachKindHasItsGradient(String operator, String gradient) {
    assertThat(
            backward(
                "input x[batch, embed]",
                "input z[batch, embed]",
                "parameter w[embed]:weight",
                "parameter b[embed]:weight",
                "f: y[batch, embed]"
                    + (operator.startsWith("dropout") ? ", m[batch, embed]:mask = " : " = ")
                    + operator,
                "output y"))
        .containsExactly("f.grad: " + gradient);
  }

  @Test
  void theGradientOfALookUpIsScatteredIntoTheTable() {
    assertThat(
            backward(
                "input tokens[batch, seq]:index",
                "parameter w[vocab, embed]:weight",
                "rows: y[batch, seq, embed] = lookup(w[vocab, embed], tokens[batch, seq])",
                "output y"))
        .containsExactly(
            "rows.grad: w.grad[vocab, embed] ="
                + " lookup_grad(y.grad[batch, seq, embed], tokens[batch, seq])");
  }

  @Test
  void attentionReadsWhatItWroteAndGivesThreeGradients() {
    String q = "[batch, seq, heads, head_dim]";
    String k = "[batch, kv_seq, kv_heads, head_dim]";
    String f = "core: o%1$s, l[batch, heads, seq]:statistic = attention(q%1$s, k%2$s, v%2$s)";
    assertThat(backward("input q" + q, "input k" + k, "input v" + k, f.formatted(q, k), "output o"))
        .containsExactly(
            ("core.grad: q.grad%1$s, k.grad%2$s, v.grad%2$s ="
                    + " attention_grad(o.grad%1$s, q%1$s, k%2$s, v%2$s, o%1$s, l[batch, heads, seq])")
                .formatted(q, k));
  }

  @Test
  void theGradientOfASumIsHandedOnAsItIs() {
    Module backward =
        Differentiation.of(
            module(
                "input x[batch, embed]",
                "input z[batch, embed]",
                "sum: y[batch, embed] = add(x[batch, embed], z[batch, embed])",
                "output y"),
            OperatorRules.standard());
    assertThat(backward.operators()).isEmpty();
    assertThat(backward.outputs()).containsExactly("y.grad", "y.grad");
  }

  @Test
  void contributionsOfSeveralConsumersAreAddedOnceBeforeAnythingSeesThem() {
    assertThat(
            backward(
                "input x[batch, embed]",
                "first: h[batch, embed] = gelu(x[batch, embed])",
                "a: a[batch, embed] = gelu(h[batch, embed])",
                "b: b[batch, embed] = gelu(h[batch, embed])",
                "c: c[batch, embed] = add(a[batch, embed], b[batch, embed])",
                "d: y[batch, embed] = add(h[batch, embed], c[batch, embed])",
                "output y"))
        .containsExactly(
            "b.grad: h.grad.2[batch, embed] = gelu_grad(y.grad[batch, embed], h[batch, embed])",
            "a.grad: h.grad.3[batch, embed] = gelu_grad(y.grad[batch, embed], h[batch, embed])",
            "h.grad.sum: h.grad[batch, embed] = add(y.grad[batch, embed],"
                + " h.grad.2[batch, embed], h.grad.3[batch, embed])",
            "first.grad: x.grad[batch, embed] = gelu_grad(h.grad[batch, embed], x[batch, embed])");
  }

  @Test
  void theGradientOfCrossEntropyIsOneKernel() {
    String t = "[batch, seq]";
    assertThat(
            backward(
                "input logits[batch, seq, vocab]",
                "input labels[batch, seq]:index",
                "max: max[batch, seq]:statistic = reduce_max(logits[batch, seq, vocab])",
                "target: target[batch, seq]:statistic ="
                    + " target_logit(logits[batch, seq, vocab], labels[batch, seq], max[batch, seq])",
                "sum: sum[batch, seq]:statistic = exp_sum(logits[batch, seq, vocab], max[batch,"
                    + " seq])",
                "loss: loss[batch, seq]:statistic ="
                    + " negative_log_likelihood(sum[batch, seq], target[batch, seq])",
                "output loss"))
        .singleElement()
        .asString()
        .endsWith(
            "= cross_entropy_grad(logits[batch, seq, vocab], labels%1$s, max%1$s, sum%1$s)"
                .formatted(t));
  }

  @Test
  void gradientsOfParametersAccumulateAndThoseOfActivationsDoNot() {
    Module backward =
        Differentiation.of(
            module(
                "input x[batch, embed]",
                "parameter w[embed, mlp]:weight",
                "up: y[batch, mlp] = einsum(x[batch, embed], w[embed, mlp])",
                "output y"),
            OperatorRules.standard());
    assertThat(backward.tensors())
        .containsExactly(
            new Tensor("x.grad", List.of("batch", "embed"), Element.ACTIVATION),
            new Tensor("w.grad", List.of("embed", "mlp"), Element.GRADIENT));
    assertThat(backward.inputs()).extracting(Tensor::name).containsExactly("y.grad", "x");
    assertThat(backward.parameters()).extracting(Tensor::name).containsExactly("w");
    assertThat(backward.outputs()).containsExactly("x.grad", "w.grad");
  }

  @Test
  void whatNoOutputDependsOnHasNoGradient() {
    Module backward =
        Differentiation.of(
            module(
                "input x[batch, embed]",
                "a: a[batch, embed] = gelu(x[batch, embed])",
                "b: b[batch, embed] = gelu(x[batch, embed])",
                "output b"),
            OperatorRules.standard());
    assertThat(backward.operators()).extracting(Operator::name).containsExactly("b.grad");
  }

  @Test
  void aKindWithoutGradientIsRefused() {
    Module forward =
        module(
            "input x[batch, embed]",
            "f: y[batch, embed] = gelu_grad(x[batch, embed], x[batch, embed])",
            "output y");
    assertThatThrownBy(() -> Differentiation.of(forward, OperatorRules.standard()))
        .hasMessage(
            "no gradient is known of y[batch, embed] = gelu_grad(x[batch, embed], x[batch, embed])");
    assertThat(forward.operators().get(0).kind()).isEqualTo(OperatorKind.GELU_GRAD);
  }
}
