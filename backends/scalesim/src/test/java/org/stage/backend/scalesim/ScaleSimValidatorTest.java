package org.stage.backend.scalesim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.backend.scalesim.format.Configuration;
import org.stage.backend.scalesim.format.Dataflow;
import org.stage.backend.scalesim.format.SystolicArray;
import org.stage.testkit.TestValidation;

/** What the simulators do on each of these was tried. */
final class ScaleSimValidatorTest {
  private static final String GEMM = "Layer, M, N, K,\n";
  private static final String CONVOLUTION =
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter,"
          + " Strides,\n";

  @TempDir Path directory;
  private String configuration = "";

  @BeforeEach
  void makeConfiguration() {
    SystolicArray array = new SystolicArray(32, 32, Dataflow.OS);
    configuration = new Configuration("run", array, List.of(64L, 64L, 64L), 10, 0).text();
  }

  @Test
  void soundFilesHaveNoFault() throws IOException {
    write("a.csv", GEMM + "qkv, 128, 64, 256,\r\n\nout,1,1,1,\n");
    write("c.csv", CONVOLUTION + "conv1, 30, 30, 3, 3, 16, 32, 1,\n");
    write("a.cfg", configuration);
    write("layout.csv", "Layer name, IFMAP Height Intraline Factor,\n");
    write("a.repeats.csv", "row,M,N,K,count,cycles\n0,128,64,256,12,2543\n1,1,1,1,1,62\n");

    Validation validation = validate();

    assertThat(validation.diagnostics()).isEmpty();
    assertThat(validation.summary()).isEqualTo("2 topologies, 3 rows, 1 configurations");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'qkv,8,8,8'         | 3 entries before its last comma",
        "'\"A,b\",8,8,8,'    | is not a size",
        "'#note'             | 0 entries",
        "'a,8.0,8,8,'        | is not a size",
        "'a,0,8,8,'          | is not a size",
        "'a,-8,8,8,'         | is not a size",
        "'a,8,8,8,4,'        | v2 passes over it, v3 stops",
        "'a,99999999999999999999,8,8,' | is not a size",
      })
  void aBrokenProductIsAFault(String row, String message) throws IOException {
    write("a.csv", GEMM + "good,8,8,8,\n" + row + "\n");

    assertThat(errors()).singleElement().asString().contains("a.csv, line 3", message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'# note,8,8,8,'  | no comment",
        "'a,8,8,8,2:4,'   | read by v3 only",
        "'a,8,8,8, note'  | is not read",
      })
  void whatIsReadOtherwiseThanMeantIsWarnedOf(String row, String message) throws IOException {
    write("a.csv", GEMM + row + "\n");

    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics()).singleElement().asString().contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ERROR   | 'c,2,2,3,3,1,1,1,'       | filter of 3 x 3 is larger",
        "ERROR   | 'c,9,9,3,3,1,1,'         | 7 entries",
        "WARNING | 'SDPA,9,9,3,3,1,1,1,'    | contains DP",
        "WARNING | 'c,9,9,3,3,1,1,1,1,'     | v3 stops",
        "WARNING | 'c,9,9,3,3,1,1,1,2:4,'   | v3 only",
        "ERROR   | 'c,9,9,3,3,1,1,1,1,1,'   | more than a layer has",
      })
  void convolutionsHaveRulesOfTheirOwn(Severity severity, String row, String message)
      throws IOException {
    write("c.csv", CONVOLUTION + row + "\n");

    Diagnostic only = validate().diagnostics().get(0);
    assertThat(only.severity()).isEqualTo(severity);
    assertThat(only.toString()).contains(message);
  }

  @Test
  void aMissingHeaderLosesTheFirstLayer() throws IOException {
    write("a.csv", "qkv,8,8,8,\nout,8,8,8,\n");

    assertThat(errors()).singleElement().asString().contains("line 1", "drops it");
  }

  @Test
  void aBlankFirstLineMakesTheHeaderALayer() throws IOException {
    write("a.csv", "\n" + GEMM + "a,8,8,8,\n");

    assertThat(errors()).asString().contains("first line is blank");
  }

  @Test
  void aTopologyHasLayers() throws IOException {
    write("a.csv", GEMM);

    assertThat(errors()).singleElement().asString().contains("there is no layer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ArrayHeight: 32   | ''                 | has no ArrayHeight",
        "ArrayHeight: 32   | ArrayHeight: 3.5   | ArrayHeight is '3.5'",
        "ArrayWidth: 32    | ArrayWidth: 0      | ArrayWidth is '0'",
        "Dataflow: os      | Dataflow: OS       | Dataflow is 'OS'",
        "FilterOffset: 1000000000 | FilterOffset: x | FilterOffset is 'x'",
        "InterfaceBandwidth: USER | InterfaceBandwidth: user | InterfaceBandwidth is 'user'",
        "run_name = run    | ''                 | has no run_name",
        "IfmapSRAMBankNum: 1 | IfmapSRAMBankNum: 3 | does not divide over 3 banks",
        "[sparsity]        | [layout]           | section [layout] is there twice",
        "[general]         | ''                 | stands in no section",
        "Dataflow: os      | Dataflow os        | has no value",
        "ArrayWidth: 32    | ARRAYHEIGHT: 32    | ARRAYHEIGHT is there twice",
      })
  void aBrokenConfigurationIsAFault(String good, String bad, String message) throws IOException {
    assertThat(configuration).contains(good);
    write("a.csv", GEMM + "a,8,8,8,\n");
    write("a.cfg", configuration.replace(good, bad));

    assertThat(errors()).singleElement().asString().contains("a.cfg", message);
  }

  @Test
  void whatOnlyTheThirdVersionNeedsIsAWarning() throws IOException {
    write("a.csv", GEMM + "a,8,8,8,\n");
    write(
        "a.cfg",
        configuration
            .replace("UseRamulatorTrace: False\n", "")
            .replace(
                "[sparsity]\nSparsitySupport: false\n",
                "[network_presets]\nTopologyCsvLoc: \"a.csv\"\n"));

    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .extracting(Diagnostic::message)
        .containsExactly(
            "[run_presets] has no UseRamulatorTrace: v3 stops",
            "there is no section [sparsity]: v3 stops",
            "TopologyCsvLoc is looked up where it is not");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'row,M,N,K,count\n1,8,8,8,1'          | there are 1",
        "'row,M,N,K,count\n0,8,8,9,1'          | says 8 x 8 x 9 of a row that is 8 x 8 x 8",
        "'row,M,N,K,count\n0,8,8,8,0'          | count is '0'",
        "'row,M,N,K,count\nx,8,8,8,1'          | row is 'x'",
        "'M,N,K,count\n8,8,8,1'                | no column row",
        "'row,M,N,K,count,cycles\n0,8,8,8,1,9' | says 9 cycles",
        "'row,rows,M,N,K,count\n0,2,8,8,8,2'   | and 1 more",
      })
  void aSideFileMustTellOfItsTopology(String text, String message) throws IOException {
    write("a.csv", GEMM + "a,8,8,8,\n");
    write("a.cfg", configuration);
    write("a.repeats.csv", text + "\n");

    assertThat(errors()).singleElement().asString().contains("a.repeats.csv", message);
  }

  @Test
  void aRowThatNobodyCountsIsWarnedOf() throws IOException {
    write("a.csv", GEMM + "a,8,8,8,\nb,9,9,9,\n");
    write("a_repeats.csv", "LayerID,Layer,M,N,K,repeat\n0,a,8,8,8,3\n");

    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics()).singleElement().asString().contains("row 1");
  }

  @Test
  void aSideFileWithoutItsTopologyIsAFault() throws IOException {
    write("a.csv", GEMM + "a,8,8,8,\n");
    write("b.repeats.csv", "row,M,N,K,count\n0,8,8,8,1\n");

    assertThat(errors()).singleElement().asString().contains("no topology beside it");
  }

  @Test
  void cyclesBeyond63BitsAreAFault() throws IOException {
    String sizes = "100000000000000000,100000000000000000,100000000000000000";
    write("a.csv", GEMM + "a," + sizes + ",\n");
    write("a.cfg", configuration);
    write("a.repeats.csv", "row,M,N,K,count,cycles\n0," + sizes + ",1,1\n");

    assertThat(errors()).singleElement().asString().contains("more than 2^63 cycles");
  }

  @Test
  void aThousandFaultsAreEnough() throws IOException {
    write("a.csv", GEMM + "a,8,8,8\n".repeat(1005));

    assertThat(errors()).hasSize(1001).last().asString().contains("5 more faults");
  }

  @Test
  void otherFoldersAreNotItsOwn() throws IOException {
    write("notes.csv", "date,what\n2020,a\n");
    write("binary.csv", "\u0000\u0001");

    assertThat(new ScaleSimValidator().accepts(directory)).isFalse();
    assertThat(errors()).singleElement().asString().contains("there is no topology");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private Validation validate() throws IOException {
    return new ScaleSimValidator().validate(directory, Progress.NONE);
  }

  private List<Diagnostic> errors() throws IOException {
    return TestValidation.errors(new ScaleSimValidator(), directory);
  }
}
