package org.stage.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.calibrate.ProfileSet;

/**
 * A profile that was read, with sums over its operators.
 *
 * @param file from where
 * @param importer by which importer
 * @param profile what was measured
 * @param notes what was lost, skipped or guessed
 */
public record ReadProfile(Path file, String importer, Profile profile, List<Diagnostic> notes) {
  /** Copies the list. */
  public ReadProfile {
    notes = List.copyOf(notes);
  }

  /**
   * What some operators sum up to.
   *
   * @param count how often they ran
   * @param totalNs how long, in nanoseconds
   * @param bytes how many bytes they moved
   * @param bytesKnown whether that is known of all of them
   */
  public record Sum(long count, long totalNs, long bytes, boolean bytesKnown) {
    static Sum of(MeasuredOperator operator) {
      long bytes = operator.transfer().bytes();
      return new Sum(
          operator.count(), operator.runs().totalNs(), bytes * operator.count(), bytes > 0);
    }

    Sum plus(Sum other) {
      return new Sum(
          count + other.count,
          totalNs + other.totalNs,
          bytes + other.bytes,
          bytesKnown && other.bytesKnown);
    }
  }

  /**
   * A matrix product wherever in the model it stands.
   *
   * @param name its operator
   * @param shape its sizes
   * @param dataType of its operands; empty if it is not known
   */
  public record Product(String name, MatrixShape shape, String dataType) {}

  /** The rank that was measured; 0 if the profile does not say. */
  public int rank() {
    return ProfileSet.rank(profile);
  }

  /** Sums by kind of operator. */
  public Map<Kind, Sum> kinds() {
    Map<Kind, Sum> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      sums.merge(operator.kind(), Sum.of(operator), Sum::plus);
    }
    return sums;
  }

  /** Products that an operator is known for, the longest first. */
  public List<Map.Entry<Product, Sum>> products() {
    Map<Product, Sum> sums = new LinkedHashMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      // without an operator around it there is no phase, and a kernel's name tells no shape
      if (operator.kind() == Kind.GEMM && operator.phase().isPresent()) {
        Product product =
            new Product(operator.name(), operator.shape().matrix(), operator.dataType());
        sums.merge(product, Sum.of(operator), Sum::plus);
      }
    }
    List<Map.Entry<Product, Sum>> products = new ArrayList<>(sums.entrySet());
    products.sort(
        Comparator.comparingLong((Map.Entry<Product, Sum> each) -> -each.getValue().totalNs)
            .thenComparing(each -> each.getKey().name()));
    return products;
  }
}
