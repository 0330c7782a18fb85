package org.stage.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.calibrate.CollectiveInstance;
import org.stage.calibrate.ProfileSet;

/** Sums over the operators of a profile, for people and for scripts. */
final class ProfileSums {
  private ProfileSums() {}

  /** How often, how long in nanoseconds, and how many bytes where all of it is known. */
  static final class Sum {
    long count;
    long totalNs;
    long bytes;
    boolean bytesKnown = true;

    void add(MeasuredOperator operator) {
      count += operator.count();
      totalNs += operator.runs().totalNs();
      bytes += operator.transfer().bytes() * operator.count();
      bytesKnown &= operator.transfer().bytes() > 0;
    }
  }

  /** A matrix product wherever in the model it stands. */
  record Product(String name, MatrixShape shape, String dataType) {}

  /** Nanoseconds as microseconds, exactly. */
  static BigDecimal us(long nanos) {
    BigDecimal us = BigDecimal.valueOf(nanos, 3).stripTrailingZeros();
    return us.scale() < 0 ? us.setScale(0) : us;
  }

  static Map<Kind, Sum> collectives(Profile profile) {
    Map<Kind, Sum> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      if (operator.kind().isCommunication()) {
        sums.computeIfAbsent(operator.kind(), kind -> new Sum()).add(operator);
      }
    }
    return sums;
  }

  static Map<Kind, Sum> kinds(Profile profile) {
    Map<Kind, Sum> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      sums.computeIfAbsent(operator.kind(), kind -> new Sum()).add(operator);
    }
    return sums;
  }

  /** Products that an operator is known for, the longest first. */
  static List<Map.Entry<Product, Sum>> products(Profile profile) {
    Map<Product, Sum> sums = new LinkedHashMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      // without an operator around it there is no phase, and a kernel's name tells no shape
      if (operator.kind() == Kind.GEMM && operator.phase().isPresent()) {
        Product product =
            new Product(operator.name(), operator.shape().matrix(), operator.dataType());
        sums.computeIfAbsent(product, each -> new Sum()).add(operator);
      }
    }
    List<Map.Entry<Product, Sum>> products = new ArrayList<>(sums.entrySet());
    products.sort(
        Comparator.comparingLong((Map.Entry<Product, Sum> each) -> -each.getValue().totalNs)
            .thenComparing(each -> each.getKey().name()));
    return products;
  }

  /** Collectives that several ranks measured: how many, and the sum of their shortest times. */
  static Map<Kind, Sum> acrossRanks(ProfileSet set) {
    Map<Kind, Sum> sums = new TreeMap<>();
    for (CollectiveInstance instance : set.collectives()) {
      Sum sum = sums.computeIfAbsent(instance.kind(), kind -> new Sum());
      sum.count++;
      sum.totalNs += instance.minNs();
    }
    return sums;
  }
}
