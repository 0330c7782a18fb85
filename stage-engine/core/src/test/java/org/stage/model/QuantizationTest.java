package org.stage.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.operator.OperatorRules;
import org.stage.testkit.text.GraphTextParser;

class QuantizationTest {
  /** The operators of a module with a product whose weight lies on {@code out}, as text. */
  private static List<String> cast(String out, String element) {
    Module module =
        GraphTextParser.parse(
            """
            module m
            axis batch, embed, choices:routes, mlp
            input x[batch, embed]
            parameter router.weight[embed, %1$s]:%2$s
            up: y[batch, %1$s] = einsum(x[batch, embed], router.weight[embed, %1$s])
            output y
            """
                .formatted(out, element));
    return Quantization.of(module, OperatorRules.standard()).operators().stream()
        .map(Operator::toString)
        .toList();
  }

  @Test
  void aProductWithAWeightReadsTheCastsOfBoth() {
    assertThat(cast("mlp", "weight"))
        .containsExactly(
            "x.fp8[batch, embed] = quantize(x[batch, embed], x.scale[])",
            "router.weight.fp8[embed, mlp] ="
                + " quantize(router.weight[embed, mlp], router.weight.scale[])",
            "y[batch, mlp] = scaled_einsum(x.fp8[batch, embed], router.weight.fp8[embed, mlp],"
                + " x.scale[], router.weight.scale[])");
  }

  /** Whatever it is called. */
  @Test
  void aWeightThatTheModuleFileDeclaresToBeARoutersStaysAsItIs() {
    assertThat(cast("choices", "weight"))
        .containsExactly(
            "y[batch, choices] = einsum(x[batch, embed], router.weight[embed, choices])");
  }

  @Test
  void aProductOfTwoActivationsStaysAsItIs() {
    assertThat(cast("mlp", "activation"))
        .containsExactly("y[batch, mlp] = einsum(x[batch, embed], router.weight[embed, mlp])");
  }
}
