package org.stage.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.symbol.Expr;

class AxesTest {
  private static final Axes SHARED = axes(Axes.NONE, "axes: {seq: {size: seq, role: sequence}}");

  private static Axes axes(Axes shared, String text) {
    ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    try {
      return Axes.of(ModuleFile.read("modules/m.yaml", in), shared);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAxisHasASizeAndARole() {
    assertThat(axes(SHARED, "axes: {mine: {size: seq/2, role: norm_sequence}}").byName().values())
        .containsExactly(
            new Axis("seq", Expr.symbol("seq"), AxisRole.SEQUENCE),
            new Axis("mine", Expr.parse("seq/2"), AxisRole.NORM_SEQUENCE));
  }

  @Test
  void aSizeAloneIsAnAxisOfNoRole() {
    assertThat(axes(Axes.NONE, "axes: {width: a + b}").byName())
        .containsEntry("width", new Axis("width", Expr.parse("a + b"), AxisRole.NONE));
  }

  @Test
  void aSizeMayBeANumber() {
    assertThat(axes(Axes.NONE, "axes: {two: 2}").byName())
        .containsEntry("two", new Axis("two", Expr.of(2)));
  }

  @Test
  void whatAllModulesShareMayBeSaidAgain() {
    assertThat(axes(SHARED, "axes: {seq: {size: seq, role: sequence}}")).isEqualTo(SHARED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x: {size: seq, role: norm_sequense} | there is no role 'norm_sequense'; nearest: norm_sequence, ",
        "x: {role: batch}     | has no size: found {\"role\":\"batch\"}, expected a size, or {size: ..., role: ...}",
        "x: [seq]             | has no size: found [\"seq\"], expected a size, or",
        "x: {size: a, is: b}  | there is no key 'is' of an axis. Keys: size, role.",
        "x: a +               | its size 'a +' is none: ",
        "seq: 2*seq           | is declared as {size: 2*seq, role: none}, and for all modules as {size: seq, role: sequence}. Leave it out, or choose another name.",
        "seq: seq             | is declared as {size: seq, role: none}, and for all modules as {size: seq, role: sequence}."
      })
  void whatIsNoDeclarationIsRefusedWithFileAndLine(String declaration, String message) {
    String text = "module: m\naxes:\n  first: embed\n  " + declaration + "\n";
    String axis = declaration.substring(0, declaration.indexOf(':'));
    assertThatThrownBy(() -> axes(SHARED, text))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("modules/m.yaml, line 4, axes." + axis + ": " + message);
  }

  @Test
  void anAxisThatIsNotDeclaredIsRefusedWhereItIsUsed() {
    assertThatThrownBy(() -> ModuleLibrary.standard().build("wrong/undeclared", Set.of()))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(
            "modules/wrong/undeclared.yaml, line 6, second: axis 'norm_sec' is not declared;"
                + " nearest: norm_seq, ")
        .hasMessageEndingWith("Declare it under axes, with its size and, if it has one, its role.");
  }

  @Test
  void modulesOfOneGraphDeclareAnAxisAlike() {
    assertThatThrownBy(() -> ModuleLibrary.standard().build("wrong/user", Set.of()))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "modules/wrong/used.yaml, line 7, first: axis 'width' is {size: mlp, role: none} here,"
                + " elsewhere {size: embed, role: residual}. Choose another name in one of the files.");
  }

  /** A role that no axis has would never be ruled. */
  @Test
  void everyRoleHasAnAxisThatAllModulesShare() {
    List<Axis> shared = ModuleLibrary.standard().axes(List.of());
    assertThat(shared).extracting(Axis::role).containsAll(Arrays.asList(AxisRole.values()));
    assertThat(shared).startsWith(new Axis("batch", Expr.symbol("batch"), AxisRole.BATCH));
  }

  @Test
  void axesOfModulesComeAfterThoseThatAllShare() {
    ModuleLibrary library = ModuleLibrary.standard();
    List<Axis> axes =
        library.axes(List.of(library.build("embedding", Set.of("learned_positions"))));
    assertThat(axes)
        .hasSize(library.axes(List.of()).size() + 1)
        .last()
        .satisfies(axis -> assertThat(axis.name()).isEqualTo("positions"));
  }
}
