package org.stage.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A decoder-only model as data: which blocks follow one another, what stands at both ends, and how
 * large all of it is.
 *
 * <p>Layers are told as runs of equal blocks, so that what is built, placed and planned once for
 * each distinct block serves any number of layers in any order. Module files know sizes by symbols;
 * the values of those are {@code sizes}, whatever the modules are. The few numbers that sharding
 * and batches are checked by stand in {@link Dimensions} and {@link Experts} besides.
 *
 * @param name as people write it, for example {@code llama-3.1-8b}
 * @param runs the decoder layers, first to last
 * @param ends what stands before and behind the layers
 * @param dimensions numbers that other choices must fit
 * @param experts numbers of the mixture of experts in the blocks that have one
 * @param untrained parameters beside those of the modules: they belong to the weights, but no
 *     gradient trains them
 * @param sizes values of the size symbols that module files use, of the whole model, the vocabulary
 *     unpadded
 */
public record Model(
    String name,
    List<Run> runs,
    Ends ends,
    Dimensions dimensions,
    Optional<Experts> experts,
    long untrained,
    Map<String, Long> sizes) {
  /** The feature of models that are trained with dropout, where training asks for it. */
  public static final String DROPOUT = "dropout";

  /**
   * Equal layers, one behind the other.
   *
   * @param block what each of them is
   * @param count how many they are, from 1
   */
  public record Run(Block block, int count) {
    /** Refuses a run of no layers. */
    public Run {
      if (count < 1) {
        throw new IllegalArgumentException("a run of " + count + " layers");
      }
    }
  }

  /**
   * What stands before and behind the layers.
   *
   * @param embedding the module that makes the residual stream of tokens
   * @param head the module that makes the loss of the residual stream
   * @param table the parameter of both that has a row for each entry of the vocabulary
   * @param features what holds of both, for {@code when} in module files
   * @param tied whether the head shares the embedding's table
   */
  public record Ends(
      String embedding, String head, String table, Set<String> features, boolean tied) {
    /** Copies the set. */
    public Ends {
      features = Set.copyOf(features);
    }
  }

  /**
   * Numbers that mesh, strategy and batch must fit.
   *
   * @param heads query heads
   * @param kvHeads key/value heads; divides {@code heads}
   * @param ffn inner width of the dense feed-forward network, elements
   * @param vocab vocabulary, unpadded
   * @param positions rows of the learned position table; 0 with rotary positions
   */
  public record Dimensions(int heads, int kvHeads, int ffn, int vocab, int positions) {}

  /**
   * A mixture of experts.
   *
   * @param count routed experts in a layer
   * @param perToken routed experts that a token meets
   * @param ffn inner width of an expert, elements
   * @param shared experts that every token meets, of the same width
   */
  public record Experts(int count, int perToken, int ffn, int shared) {}

  /** Copies the list and the map; numbers are checked by the reader, which knows their lines. */
  public Model {
    Objects.requireNonNull(name);
    runs = List.copyOf(runs);
    sizes = Map.copyOf(sizes);
  }

  /** A model of {@code dimensions} with {@code ends}, to be given its runs. */
  public static Builder builder(String name, Ends ends, Dimensions dimensions) {
    return new Builder(name, ends, dimensions);
  }

  /** Number of decoder layers. */
  public int layers() {
    return runs.stream().mapToInt(Run::count).sum();
  }

  /** What layer {@code index}, counted from 0, is. */
  public Block block(int index) {
    int behind = 0;
    for (Run run : runs) {
      behind += run.count();
      if (index < behind) {
        return run.block();
      }
    }
    throw new IndexOutOfBoundsException("layer " + index + " of " + layers() + " of " + name);
  }

  /** The distinct blocks, in the order in which they come first. */
  public List<Block> blocks() {
    return runs.stream().map(Run::block).distinct().toList();
  }

  /** Indices of the layers that have experts. */
  public IntStream layersWithExperts() {
    return IntStream.range(0, layers()).filter(layer -> block(layer).hasExperts());
  }

  /** Query heads. */
  public int heads() {
    return dimensions.heads();
  }

  /** Key/value heads. */
  public int kvHeads() {
    return dimensions.kvHeads();
  }

  /** Inner width of the dense feed-forward network, elements. */
  public int ffn() {
    return dimensions.ffn();
  }

  /** Vocabulary, unpadded. */
  public int vocab() {
    return dimensions.vocab();
  }

  /** Rows of the learned position table; 0 with rotary positions. */
  public int positions() {
    return dimensions.positions();
  }

  /** Whether the head shares the embedding's table. */
  public boolean tied() {
    return ends.tied();
  }

  /** Whether models of its kind are trained with dropout. */
  public boolean hasDropout() {
    return ends.features().contains(DROPOUT);
  }

  /** A model under construction. */
  public static final class Builder {
    private final String name;
    private final Ends ends;
    private final Dimensions dimensions;
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private Optional<Experts> experts = Optional.empty();
    private long untrained;

    private Builder(String name, Ends ends, Dimensions dimensions) {
      this.name = name;
      this.ends = ends;
      this.dimensions = dimensions;
    }

    /** Adds {@code count} layers behind those that there are. */
    public Builder run(Block block, int count) {
      runs.add(new Run(block, count));
      return this;
    }

    /** Says how many experts there are. */
    public Builder experts(Experts numbers) {
      experts = Optional.of(numbers);
      return this;
    }

    /** Says how many parameters there are beside those of the modules. */
    public Builder untrained(long parameters) {
      untrained = parameters;
      return this;
    }

    /** Gives a size symbol of module files its value. */
    public Builder size(String symbol, long value) {
      sizes.put(symbol, value);
      return this;
    }

    /** The model. */
    public Model build() {
      return new Model(name, runs, ends, dimensions, experts, untrained, sizes);
    }
  }
}
