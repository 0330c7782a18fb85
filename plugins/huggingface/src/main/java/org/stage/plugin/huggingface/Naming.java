package org.stage.plugin.huggingface;

import org.stage.plugin.huggingface.format.Config;

/** Under which keys a family writes its sizes. */
enum Naming {
  /** As Llama does, and most others since. */
  LLAMA,
  /** As GPT-2 does; some of Llama's names are accepted too. */
  GPT2;

  /** A value that the two name differently. */
  enum Field {
    LAYERS("num_hidden_layers", "n_layer", true),
    HIDDEN("hidden_size", "n_embd", true),
    HEADS("num_attention_heads", "n_head", true),
    FFN("intermediate_size", "n_inner", false),
    POSITIONS("max_position_embeddings", "n_positions", true),
    ACTIVATION("hidden_act", "activation_function", false);

    private final String llama;
    private final String gpt2;
    private final boolean both;

    Field(String llama, String gpt2, boolean both) {
      this.llama = llama;
      this.gpt2 = gpt2;
      this.both = both;
    }
  }

  /** The key of {@code field}: the one that {@code config} has, if it may have several. */
  String key(Field field, Config config) {
    boolean other = field.both && config.mentions(field.llama) && !config.mentions(field.gpt2);
    return this == LLAMA || other ? field.llama : field.gpt2;
  }
}
