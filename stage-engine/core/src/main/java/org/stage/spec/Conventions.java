package org.stage.spec;

import java.util.Locale;

/**
 * What frameworks do differently where tensors are gathered.
 *
 * @param regather which modules' parameters ZeRO-3 gathers again for backward
 * @param keepsGathered whether what tensor parallelism gathers of inputs stays for backward,
 *     instead of being gathered again for weight gradients
 * @param singlePrecision whether tensor parallelism sends activations in 32-bit floats, whatever
 *     the precision of the job
 */
public record Conventions(Regather regather, boolean keepsGathered, boolean singlePrecision) {
  /** Which modules' parameters ZeRO-3 gathers twice. */
  public enum Regather {
    /** None: each stays gathered from forward to backward. */
    NONE,
    /** Decoder layers; embeddings and head are the root of Megatron's and NeMo's FSDP. */
    LAYERS,
    /** All but the head, whose backward follows its forward at once. */
    NOT_HEAD,
    /** All. */
    ALL
  }

  /** Whether the embeddings are gathered again. */
  public boolean regathersEmbedding() {
    return regather == Regather.NOT_HEAD || regather == Regather.ALL;
  }

  /** Whether decoder layers are gathered again. */
  public boolean regathersLayers() {
    return regather != Regather.NONE;
  }

  /** Whether the head is gathered again. */
  public boolean regathersHead() {
    return regather == Regather.ALL;
  }

  static Conventions read(Values values, int zero) {
    Conventions usual = Framework.of(values).conventions(zero);
    Regather regather =
        values.has("training.zero_regather")
            ? Regather.valueOf(
                values.word("training.zero_regather").toUpperCase(Locale.ROOT).replace('-', '_'))
            : usual.regather;
    boolean single =
        values.has("training.tp_collectives")
            ? values.word("training.tp_collectives").equals("fp32")
            : usual.singlePrecision;
    boolean keeps = values.flag("training.keep_gathered", usual.keepsGathered);
    return new Conventions(regather, keeps, single);
  }
}
