package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.plugin.GraphTransform;
import org.stage.api.plugin.Progress;
import org.stage.api.symbol.Expr;

/**
 * What every transform promises of the symbolic graph. A plugin's test extends this class, says
 * which transform it is about, and gives a module in which there is something for it to do.
 *
 * <pre>{@code
 * class MyTransformContractTest extends TransformContract {
 *   protected GraphTransform transform() {
 *     return new MyTransform();
 *   }
 *
 *   protected Module sample() {
 *     return GraphTextParser.parse("module m\ninput x[a]\n...");
 *   }
 * }
 * }</pre>
 *
 * <p>Of the sample and of some modules of common forms, it makes a module (which is legal, as every
 * {@link Module} is) of the same name, inputs, parameters and outputs in the same order, with the
 * same axes, sizes and elements; the same one each time, wherever it runs. The module that it is
 * given cannot change. Where there is nothing to do, that very module is returned.
 */
public abstract class TransformContract {
  /** A new object of the transform under test. */
  protected abstract GraphTransform transform();

  /** A module in which there is something to do. */
  protected abstract Module sample();

  /** A module in which there is nothing to do; by default one without operators. */
  protected Module untouched() {
    return ModuleSamples.get("through");
  }

  /** Whether there is nothing left to do in what it has made; by default that is not promised. */
  protected boolean idempotent() {
    return false;
  }

  @Test
  void hasANameADescriptionAndHelpForEachOption() {
    Declarations.check(transform());
  }

  @Test
  void declaresTheSameEachTime() {
    GraphTransform transform = transform();

    assertThat(transform.options()).isEqualTo(transform.options());
    assertThat(transform.capabilities()).isEqualTo(transform.capabilities());
  }

  @Test
  void changesTheSample() {
    assertThat(made(sample())).as("what is made of the sample").isNotEqualTo(sample());
  }

  @Test
  void returnsTheModuleItselfWhereThereIsNothingToDo() {
    Module module = untouched();

    assertThat(made(module)).isSameAs(module);
  }

  @TestFactory
  Stream<DynamicTest> keepsWhatOtherModulesReferTo() {
    return modules().entrySet().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> assertKept(each.getValue())));
  }

  private Map<String, Module> modules() {
    Map<String, Module> modules = new LinkedHashMap<>();
    modules.put("sample", sample());
    ModuleSamples.names().forEach(name -> modules.put(name, ModuleSamples.get(name)));
    return modules;
  }

  private void assertKept(Module before) {
    assertKept(before, made(before));
  }

  private static void assertKept(Module before, Module after) {
    assertThat(after.name()).as("name").isEqualTo(before.name());
    assertThat(after.inputs()).as("inputs").isEqualTo(before.inputs());
    assertThat(after.parameters()).as("parameters").isEqualTo(before.parameters());
    assertThat(after.outputs()).as("outputs").isEqualTo(before.outputs());
    assertThat(outputs(after)).as("axes and elements of outputs").isEqualTo(outputs(before));
    assertThat(sizes(after)).as("sizes of axes").containsAllEntriesOf(outerSizes(before));
  }

  private static List<Tensor> outputs(Module module) {
    Map<String, Tensor> tensors = module.tensorsByName();
    return module.outputs().stream().map(tensors::get).toList();
  }

  private static Map<String, Expr> sizes(Module module) {
    Map<String, Expr> sizes = new LinkedHashMap<>();
    for (Axis axis : module.axes()) {
      sizes.put(axis.name(), axis.size());
    }
    return sizes;
  }

  /** Sizes of the axes of what enters and leaves. */
  private static Map<String, Expr> outerSizes(Module module) {
    List<Tensor> outer = new ArrayList<>(module.inputs());
    outer.addAll(module.parameters());
    outer.addAll(outputs(module));
    Map<String, Expr> sizes = sizes(module);
    sizes.keySet().retainAll(outer.stream().flatMap(each -> each.axes().stream()).toList());
    return sizes;
  }

  @Test
  void makesTheSameAgain() {
    GraphTransform same = transform();
    Module first = made(same, sample());

    assertThat(made(same, sample())).as("by the same object").isEqualTo(first);
    assertThat(made(sample())).as("by another object").isEqualTo(first);
  }

  @Test
  void doesNotDependOnLocaleOrTimeZone() throws IOException {
    Module here = made(sample());

    ForeignLocale.each(tag -> assertThat(made(sample())).as(tag).isEqualTo(here));
  }

  @Test
  void findsNothingLeftToDoIfItSaysSo() {
    Module once = made(sample());
    Module twice = made(once);

    assertKept(once, twice);
    assertThat(!idempotent() || twice.equals(once))
        .as("what is made a second time is equal: %s, once %s", twice, once)
        .isTrue();
  }

  @TestFactory
  Stream<DynamicTest> takesOrRefusesEveryValueOfAnOption() {
    return OptionSamples.trials(transform().options(), this::takesOrRefuses);
  }

  private void takesOrRefuses(String option, String value) {
    GraphTransform transform = transform();
    try {
      Module made = transform.apply(sample(), TestImport.context(transform, Map.of(option, value)));
      assertKept(sample(), made);
    } catch (InputException e) {
      assertThat(e).hasMessageContaining(option);
    }
  }

  @Test
  void stopsIfItAsksAndIsToldTo() {
    AtomicInteger asked = new AtomicInteger();
    Runnable stop =
        () -> {
          asked.incrementAndGet();
          throw new CancellationException("stopped");
        };
    boolean stopped = false;
    try {
      made(transform(), sample(), Progress.NONE, stop);
    } catch (CancellationException e) {
      stopped = true;
    }

    assertThat(stopped).as("it stopped; it asked %s times", asked).isEqualTo(asked.get() > 0);
  }

  @Test
  void reportsProgressUpToTheTotal() {
    ProgressLog progress = new ProgressLog();

    made(transform(), sample(), progress, () -> {});

    assertThat(progress.wrong()).isEmpty();
  }

  private Module made(Module module) {
    return made(transform(), module);
  }

  private static Module made(GraphTransform transform, Module module) {
    return made(transform, module, Progress.NONE, () -> {});
  }

  private static Module made(
      GraphTransform transform, Module module, Progress progress, Runnable onCheck) {
    return transform.apply(module, TestImport.context(transform, Map.of(), progress, onCheck));
  }
}
