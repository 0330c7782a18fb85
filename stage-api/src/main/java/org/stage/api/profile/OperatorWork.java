package org.stage.api.profile;

import java.util.Objects;
import java.util.Optional;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.Phase;

/**
 * What an operator does, where and on what sizes. Importers make it, by {@link #builder} where a
 * profile says little; two runs are the same work if these are equal.
 *
 * @param kind what sort of work it is
 * @param name as the profile calls it: {@code aten::mm}, or a kernel's name where no operator is
 *     known
 * @param module the module in which it was called, outermost first, joined by dots, with names as
 *     the profile gives them; empty if it does not
 * @param phase the part of the step; empty if the profile does not tell
 * @param shape its sizes
 * @param dataType the type of an element: as {@link org.stage.api.workload.DataType#text()} writes
 *     it if there is such a type, else as the profile calls it; empty if it does not say
 * @param transfer of communication and copies what is moved; else {@link Transfer#NONE}
 */
public record OperatorWork(
    Kind kind,
    String name,
    String module,
    Optional<Phase> phase,
    OperatorShape shape,
    String dataType,
    Transfer transfer) {
  /** Checks that nothing is missing. */
  public OperatorWork {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(name);
    Objects.requireNonNull(module);
    Objects.requireNonNull(phase);
    Objects.requireNonNull(shape);
    Objects.requireNonNull(dataType);
    Objects.requireNonNull(transfer);
  }

  /** Begins work of which nothing else is known yet. */
  public static Builder builder(Kind kind, String name) {
    return new Builder(kind, name);
  }

  /** Sets what is known; the rest stays unknown. */
  public static final class Builder {
    private final Kind kind;
    private final String name;
    private String module = "";
    private Optional<Phase> phase = Optional.empty();
    private OperatorShape shape = OperatorShape.UNKNOWN;
    private String dataType = "";
    private Transfer transfer = Transfer.NONE;

    private Builder(Kind kind, String name) {
      this.kind = kind;
      this.name = name;
    }

    /** Sets {@link OperatorWork#module}. */
    public Builder module(String path) {
      this.module = path;
      return this;
    }

    /** Sets {@link OperatorWork#phase}. */
    public Builder phase(Phase part) {
      this.phase = Optional.of(part);
      return this;
    }

    /** Sets {@link OperatorWork#shape}. */
    public Builder shape(OperatorShape sizes) {
      this.shape = sizes;
      return this;
    }

    /** Sets {@link OperatorWork#dataType}. */
    public Builder dataType(String type) {
      this.dataType = type;
      return this;
    }

    /** Sets {@link OperatorWork#transfer}. */
    public Builder transfer(Transfer moved) {
      this.transfer = moved;
      return this;
    }

    /** The work. */
    public OperatorWork build() {
      return new OperatorWork(kind, name, module, phase, shape, dataType, transfer);
    }
  }
}
