package org.stage.api.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.symbol.Expr;

class ModuleTest {
  private final List<Axis> axes =
      new ArrayList<>(List.of(axis("batch"), axis("embed"), axis("mlp")));
  private final List<Tensor> inputs = new ArrayList<>(List.of(tensor("x", "batch", "embed")));
  private final List<Tensor> parameters =
      new ArrayList<>(List.of(new Tensor("up.weight", List.of("embed", "mlp"), Element.WEIGHT)));
  private final List<Tensor> tensors =
      new ArrayList<>(List.of(tensor("h", "batch", "mlp"), tensor("y", "batch", "mlp")));
  private final List<Operator> operators =
      new ArrayList<>(
          List.of(
              operator(
                  "up",
                  OperatorKind.EINSUM,
                  operand("h", "batch", "mlp"),
                  operand("x", "batch", "embed"),
                  operand("up.weight", "embed", "mlp")),
              operator(
                  "act",
                  OperatorKind.GELU,
                  operand("y", "batch", "mlp"),
                  operand("h", "batch", "mlp"))));
  private final List<String> outputs = new ArrayList<>(List.of("y"));

  private static Axis axis(String name) {
    return new Axis(name, Expr.symbol(name));
  }

  private static Tensor tensor(String name, String... axes) {
    return new Tensor(name, List.of(axes), Element.ACTIVATION);
  }

  private static Operand operand(String tensor, String... axes) {
    return new Operand(tensor, List.of(axes));
  }

  private static Operator operator(
      String name, OperatorKind kind, Operand output, Operand... inputs) {
    return Operator.of(name, kind, List.of(inputs), output);
  }

  private Module module() {
    return new Module("mlp", axes, inputs, parameters, operators, tensors, outputs);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(this::module)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("module mlp: " + message);
  }

  @Test
  void aLegalModuleKnowsItsTensorsByName() {
    assertThat(module().tensorsByName().keySet()).containsExactly("x", "up.weight", "h", "y");
    assertThat(module().tensorsByName().get("h")).isEqualTo(tensor("h", "batch", "mlp"));
  }

  @Test
  void theListsAreCopied() {
    Module module = module();
    outputs.clear();
    operators.clear();
    assertThat(module.outputs()).containsExactly("y");
    assertThat(module.operators()).hasSize(2);
    assertThatThrownBy(() -> module.tensorsByName().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void tensorsStandInTheOrderInWhichTheyAreWritten() {
    Module module = module();
    tensors.add(tensors.remove(0));
    assertThat(module()).isEqualTo(module);
    assertThat(module().tensors()).extracting(Tensor::name).containsExactly("h", "y");
  }

  @Test
  void anOperandMayNameOtherAxesThanItsProducer() {
    axes.add(axis("norm_batch"));
    operators.set(
        1,
        operator(
            "act",
            OperatorKind.GELU,
            operand("y", "batch", "mlp"),
            operand("h", "norm_batch", "mlp")));
    assertThat(module().operators().get(1).axes()).containsExactly("norm_batch", "mlp", "batch");
  }

  @Test
  void anAxisDeclaredTwiceIsRefused() {
    axes.add(axis("mlp"));
    assertRefused("axis twice: mlp");
  }

  @Test
  void anInputThatIsAlsoAParameterIsRefused() {
    inputs.add(tensor("up.weight", "embed"));
    assertRefused("tensor twice: up.weight[embed, mlp]");
  }

  @Test
  void aTensorDeclaredTwiceIsRefused() {
    tensors.add(tensor("h", "batch"));
    assertRefused("tensor twice: h[batch]");
  }

  @Test
  void aTensorOnAnAxisThatIsNotDeclaredIsRefused() {
    inputs.add(tensor("z", "batch", "seq"));
    assertRefused("axis seq is not declared in: z[batch, seq]");
  }

  @Test
  void anOperandOnAnAxisThatIsNotDeclaredIsRefused() {
    operators.set(
        1,
        operator(
            "act", OperatorKind.GELU, operand("y", "batch", "mlp"), operand("h", "seq", "mlp")));
    assertRefused("axis seq is not declared in: y[batch, mlp] = gelu(h[seq, mlp])");
  }

  @Test
  void twoOperatorsOfOneNameAreRefused() {
    operators.set(
        1,
        operator(
            "up", OperatorKind.GELU, operand("y", "batch", "mlp"), operand("h", "batch", "mlp")));
    assertRefused("operator twice: up");
  }

  @Test
  void aTensorReadBeforeItIsWrittenIsRefused() {
    operators.add(operators.remove(0));
    assertRefused("h[batch, mlp] is not known in: y[batch, mlp] = gelu(h[batch, mlp])");
  }

  @Test
  void aTensorThatNobodyDeclaresCannotBeRead() {
    operators.set(
        1,
        operator(
            "act", OperatorKind.GELU, operand("y", "batch", "mlp"), operand("z", "batch", "mlp")));
    assertRefused("z[batch, mlp] is not known in: y[batch, mlp] = gelu(z[batch, mlp])");
  }

  @Test
  void aTensorThatNobodyDeclaresCannotBeWritten() {
    tensors.remove(1);
    assertRefused("y[batch, mlp] has no declaration in: y[batch, mlp] = gelu(h[batch, mlp])");
  }

  @Test
  void aTensorWrittenTwiceIsRefused() {
    operators.add(
        operator(
            "again",
            OperatorKind.GELU,
            operand("y", "batch", "mlp"),
            operand("h", "batch", "mlp")));
    assertRefused("y[batch, mlp] is written again in: y[batch, mlp] = gelu(h[batch, mlp])");
  }

  @Test
  void anInputIsNotWritten() {
    operators.add(
        operator(
            "again",
            OperatorKind.GELU,
            operand("x", "batch", "embed"),
            operand("x", "batch", "embed")));
    assertRefused("x[batch, embed] is written again in: x[batch, embed] = gelu(x[batch, embed])");
  }

  @Test
  void anOperandOfAnotherRankThanItsTensorIsRefused() {
    operators.set(
        1, operator("act", OperatorKind.GELU, operand("y", "batch", "mlp"), operand("h", "mlp")));
    assertRefused("h[mlp] is not of the rank of h[batch, mlp] in: y[batch, mlp] = gelu(h[mlp])");
  }

  @Test
  void aTensorWrittenUnderOtherAxesThanItsOwnIsRefused() {
    operators.set(
        1,
        operator(
            "act", OperatorKind.GELU, operand("y", "mlp", "batch"), operand("h", "batch", "mlp")));
    assertRefused(
        "y[mlp, batch] has not the axes of y[batch, mlp] in: y[mlp, batch] = gelu(h[batch, mlp])");
  }

  @Test
  void aTensorThatIsNeverWrittenIsRefused() {
    tensors.add(tensor("z", "batch"));
    assertRefused("never written: z[batch]");
  }

  @Test
  void anOutputThatDoesNotExistIsRefused() {
    outputs.add("z");
    assertRefused("no such output: z");
  }

  @Test
  void anOperatorWithoutOutputIsRefused() {
    assertThatThrownBy(() -> new Operator("up", OperatorKind.ADD, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("operator up has no output");
  }

  @Test
  void kindsAreNamedInLowerCase() {
    assertThat(OperatorKind.LAYER_NORM_GRAD).isEqualTo(new OperatorKind("layer_norm_grad"));
    assertThat(OperatorKind.EINSUM).hasToString("einsum");
    assertThatThrownBy(() -> new OperatorKind("EINSUM"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'EINSUM'");
  }
}
