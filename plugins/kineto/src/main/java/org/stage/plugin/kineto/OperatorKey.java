package org.stage.plugin.kineto;

import java.util.Optional;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.Runs;
import org.stage.api.profile.Transfer;
import org.stage.api.workload.Phase;

/** What makes two runs the same work. */
record OperatorKey(
    Kind kind,
    String name,
    String module,
    Optional<Phase> phase,
    OperatorShape shape,
    String dataType,
    Transfer transfer) {
  MeasuredOperator of(Runs runs, long untimed) {
    return new MeasuredOperator(
        kind, name, module, phase, shape, dataType, transfer, runs, untimed);
  }
}
