package org.stage.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.app.ProfileResult;
import org.stage.app.ReadProfile;
import org.stage.app.ReadProfile.Product;
import org.stage.app.ReadProfile.Sum;

/** What {@code stage profile} prints for people. */
final class ProfileText {
  private static final int SHOWN = 20;

  private ProfileText() {}

  static void print(PrintWriter out, ProfileResult result) {
    for (ReadProfile read : result.profiles()) {
      head(out, read);
      kinds(out, read);
      products(out, read);
      out.println();
    }
    across(out, result);
  }

  private static void head(PrintWriter out, ReadProfile read) {
    Profile profile = read.profile();
    Coverage coverage = profile.coverage();
    String device = profile.device().name();
    out.println(
        read.file()
            + ": "
            + read.importer()
            + ", rank "
            + read.rank()
            + (device.isEmpty() ? "" : ", " + device)
            + ", "
            + Units.counted(profile.steps().size(), "marked step")
            + (coverage.contents().truncated() ? ", cut short" : ""));
    out.println(
        "  "
            + Units.counted(coverage.kernels().count(), "kernel")
            + ", "
            + time(coverage.kernels().totalNs())
            + "; "
            + Units.count(coverage.launches().owned())
            + " owned by operators, "
            + Units.count(coverage.launches().orphans())
            + " without a launch; "
            + Units.counted(coverage.contents().damaged(), "damaged event"));
  }

  private static void kinds(PrintWriter out, ReadProfile read) {
    if (read.profile().operators().isEmpty()) {
      return;
    }
    Table table = new Table("  kind", ">runs", ">time", ">bytes");
    read.kinds()
        .forEach(
            (kind, sum) ->
                table.row(
                    "  " + kind.text().replace('_', '-'),
                    Units.count(sum.count()),
                    time(sum.totalNs()),
                    sum.bytesKnown() ? Units.bytes(sum.bytes()) : ""));
    table.print(out);
  }

  private static void products(PrintWriter out, ReadProfile read) {
    List<Map.Entry<Product, Sum>> products = read.products();
    if (products.isEmpty()) {
      return;
    }
    Table table = new Table("  matrix products", "batch x m x n x k", "type", ">runs", ">time");
    for (Map.Entry<Product, Sum> each : products.subList(0, Math.min(SHOWN, products.size()))) {
      Product product = each.getKey();
      boolean known = !product.shape().equals(MatrixShape.NONE);
      table.row(
          "  " + product.name(),
          known ? product.shape().toString() : "unknown",
          product.dataType(),
          Units.count(each.getValue().count()),
          time(each.getValue().totalNs()));
    }
    table.print(out);
    if (products.size() > SHOWN) {
      out.println("  and " + (products.size() - SHOWN) + " more (--json lists them all)");
    }
  }

  private static void across(PrintWriter out, ProfileResult result) {
    int ranks = result.set().ranks().size();
    if (ranks < 2) {
      return;
    }
    out.println("collectives matched across " + ranks + " ranks");
    Table table = new Table("  kind", ">instances", ">shortest over ranks");
    result
        .acrossRanks()
        .forEach(
            (kind, sum) ->
                table.row(
                    "  " + kind.text().replace('_', '-'),
                    Units.count(sum.count()),
                    time(sum.totalNs())));
    table.print(out);
  }

  private static String time(long nanos) {
    return String.format(Locale.ROOT, "%,.3f us", nanos / 1e3);
  }
}
