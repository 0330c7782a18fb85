package org.stage.parallel;

import java.util.List;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;

/**
 * A tensor in one layout, in one place of a program. The gathered and the sharded form of a tensor
 * are two values.
 *
 * @param id index in its program
 * @param tensor name of the tensor
 * @param form what distinguishes forms of one tensor: empty for the one its producer wrote
 * @param element what its elements stand for
 * @param layout where it lies
 * @param dims elements of each dimension on one device
 * @param source where it comes from
 */
public record Value(
    int id,
    String tensor,
    String form,
    Element element,
    Layout layout,
    List<Expr> dims,
    Source source) {
  /** Copies the list. */
  public Value {
    dims = List.copyOf(dims);
  }

  /** Elements on one device. */
  public Expr elements() {
    return dims.stream().reduce(Expr.ONE, Expr::times);
  }

  /** Where a value comes from. */
  public sealed interface Source {
    /** Written by a step of this program. */
    record Step(int index) implements Source {}

    /** Kept from the forward program of the same micro-batch; {@code value} is its id there. */
    record Saved(int value) implements Source {}

    /** Handed over by the neighbouring module: its output, or the gradient of its input. */
    record Neighbour() implements Source {}

    /** There from the start: a parameter or an index tensor. */
    record Given() implements Source {}

    /**
     * The memory of another value of this program, or a part of it: no node makes it.
     *
     * @param value the other value
     * @param offset elements along the last axis before it; 0 if it is as wide
     */
    record View(int value, Expr offset) implements Source {
      View(int value) {
        this(value, Expr.ZERO);
      }
    }
  }

  /** Tensor and form, for names. */
  public String name() {
    return form.isEmpty() ? tensor : tensor + "." + form;
  }
}
