package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.stage.api.graph.Module;
import org.stage.api.plugin.GraphTransform;
import org.stage.testkit.FaultyTransform.Fault;
import org.stage.testkit.text.GraphTextParser;

/** Transforms with one fault each break the promise that the fault is about. */
class TransformContractTest {
  /** Two sums of sums, an input and a parameter that nobody reads, and two results. */
  private static final String SAMPLE =
      """
      module sums
      axis batch, embed
      input a[batch, embed], b[batch, embed], c[batch, embed], unread[batch]
      parameter bias[embed]:weight
      first: s[batch, embed] = add(a[batch, embed], b[batch, embed])
      second: t[batch, embed] = add(s[batch, embed], c[batch, embed])
      third: u[batch, embed] = add(c[batch, embed], t[batch, embed])
      last: v[batch, embed] = gelu(u[batch, embed])
      output v, u
      """;

  private static final Map<String, Promise> PROMISES = new LinkedHashMap<>();

  static {
    PROMISES.put("name", TransformContract::hasANameADescriptionAndHelpForEachOption);
    PROMISES.put("declares", TransformContract::declaresTheSameEachTime);
    PROMISES.put("changes", TransformContract::changesTheSample);
    PROMISES.put("leaves", TransformContract::returnsTheModuleItselfWhereThereIsNothingToDo);
    PROMISES.put("keeps", all(TransformContract::keepsWhatOtherModulesReferTo));
    PROMISES.put("again", TransformContract::makesTheSameAgain);
    PROMISES.put("locale", TransformContract::doesNotDependOnLocaleOrTimeZone);
    PROMISES.put("twice", TransformContract::findsNothingLeftToDoIfItSaysSo);
    PROMISES.put("options", all(TransformContract::takesOrRefusesEveryValueOfAnOption));
    PROMISES.put("stop", TransformContract::stopsIfItAsksAndIsToldTo);
    PROMISES.put("progress", TransformContract::reportsProgressUpToTheTotal);
  }

  /** A test of the contract. */
  private interface Promise {
    void hold(TransformContract contract) throws Throwable;
  }

  /** The tests of a factory. */
  private interface Factory {
    Stream<DynamicTest> tests(TransformContract contract);
  }

  private static Promise all(Factory factory) {
    return contract -> {
      for (Iterator<DynamicTest> tests = factory.tests(contract).iterator(); tests.hasNext(); ) {
        tests.next().getExecutable().execute();
      }
    };
  }

  private static String brokenBy(Fault fault) {
    return switch (fault) {
      case NONE -> "";
      case NAME -> "name";
      case COUNTS_OPTIONS -> "declares";
      case DOES_NOTHING -> "changes";
      case COPIES -> "leaves";
      case RENAMES,
          DROPS_PARAMETERS,
          DROPS_INPUTS,
          REORDERS_OUTPUTS,
          CHANGES_ELEMENTS,
          RESIZES_AXES,
          BREAKS_ON_OTHER_KINDS ->
          "keeps";
      case COUNTS_RUNS -> "again";
      case DEFAULT_LOCALE -> "locale";
      case ONE_STEP -> "twice";
      case BREAKS_ON_AN_OPTION -> "options";
      case NEVER_STOPS -> "stop";
      case OVERSHOOTS -> "progress";
    };
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultBreaksItsPromise(Fault fault) {
    TransformContract contract = new Contract(fault, true);
    PROMISES.forEach(
        (name, promise) -> {
          Throwable broken = catchThrowable(() -> promise.hold(contract));
          if (name.equals(brokenBy(fault))) {
            assertThat(broken).as(name).isNotNull();
          } else if (fault == Fault.NONE) {
            assertThat(broken).as(name).isNull();
          }
        });
  }

  @Test
  void whatDoesNotSayThatItLeavesNothingToDoMayDoMore() {
    new Contract(Fault.ONE_STEP, false).findsNothingLeftToDoIfItSaysSo();
  }

  @Test
  void fusesSumsOfSums() {
    Module made =
        new FaultyTransform(Fault.NONE)
            .apply(
                GraphTextParser.parse(SAMPLE),
                TestImport.context(new FaultyTransform(Fault.NONE), Map.of()));

    assertThat(made.operators())
        .extracting(Object::toString)
        .containsExactly(
            "u[batch, embed] = add(c[batch, embed], a[batch, embed], b[batch, embed],"
                + " c[batch, embed])",
            "v[batch, embed] = gelu(u[batch, embed])");
  }

  /** Not run by itself: its tests belong to another class. */
  private static final class Contract extends TransformContract {
    private final Fault fault;
    private final boolean idempotent;

    Contract(Fault fault, boolean idempotent) {
      this.fault = fault;
      this.idempotent = idempotent;
    }

    @Override
    protected GraphTransform transform() {
      return new FaultyTransform(fault);
    }

    @Override
    protected Module sample() {
      return GraphTextParser.parse(SAMPLE);
    }

    @Override
    protected boolean idempotent() {
      return idempotent;
    }
  }
}
