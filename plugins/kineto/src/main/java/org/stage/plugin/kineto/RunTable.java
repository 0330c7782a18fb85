package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Runs;
import org.stage.plugin.kineto.format.IntColumn;
import org.stage.plugin.kineto.format.LongColumn;

/** All runs, by what they are. Each key's arrays are made once, at their size. */
final class RunTable {
  private final Map<OperatorWork, Integer> numbers = new HashMap<>();
  private final List<OperatorWork> keys = new ArrayList<>();
  private final List<long[]> counts = new ArrayList<>();
  private final IntColumn key = new IntColumn();
  private final LongColumn start = new LongColumn();
  private final LongColumn duration = new LongColumn();
  private final IntColumn step = new IntColumn();
  private final LongColumn instance = new LongColumn();

  void timed(OperatorWork of, long startNs, long durationNs, int inStep, long ofInstance) {
    int number = number(of);
    counts.get(number)[0]++;
    key.add(number);
    start.add(startNs);
    duration.add(durationNs);
    step.add(inStep);
    instance.add(ofInstance);
  }

  void untimed(OperatorWork of) {
    counts.get(number(of))[1]++;
  }

  private int number(OperatorWork of) {
    Integer known = numbers.get(of);
    if (known == null) {
      known = keys.size();
      numbers.put(of, known);
      keys.add(of);
      counts.add(new long[2]);
    }
    return known;
  }

  /** Runs must have been put in order of time. */
  List<MeasuredOperator> operators() {
    List<Filling> fillings = new ArrayList<>();
    counts.forEach(count -> fillings.add(new Filling((int) count[0])));
    for (int i = 0; i < key.size(); i++) {
      fillings.get(key.get(i)).add(start.get(i), duration.get(i), step.get(i), instance.get(i));
    }
    List<Integer> order = new ArrayList<>(numbers.values());
    // what has no time comes last
    order.sort(
        Comparator.comparingLong((Integer number) -> fillings.get(number).first())
            .thenComparing(number -> number));
    List<MeasuredOperator> operators = new ArrayList<>();
    for (int number : order) {
      Runs runs = fillings.get(number).runs();
      operators.add(new MeasuredOperator(keys.get(number), runs, counts.get(number)[1]));
    }
    return operators;
  }

  private static final class Filling {
    private final long[] starts;
    private final long[] durations;
    private final int[] steps;
    private final long[] instances;
    private int size;

    Filling(int count) {
      starts = new long[count];
      durations = new long[count];
      steps = new int[count];
      instances = new long[count];
    }

    void add(long startNs, long durationNs, int inStep, long ofInstance) {
      starts[size] = startNs;
      durations[size] = durationNs;
      steps[size] = inStep;
      instances[size++] = ofInstance;
    }

    long first() {
      return size == 0 ? Long.MAX_VALUE : starts[0];
    }

    Runs runs() {
      return Runs.of(starts, durations, steps, instances);
    }
  }
}
