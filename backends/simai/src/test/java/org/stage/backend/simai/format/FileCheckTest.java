package org.stage.backend.simai.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.backend.simai.format.Fault.Level;

final class FileCheckTest {
  private static final String HEADER =
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 pp: 1 vpp: 1 ga: 1"
          + " all_gpus: 48 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0";
  private static final String ROW = "a -1 1000 NONE 0 1000 NONE 0 1000 NONE 0 100";

  @Test
  void aGoodFileHasNoFaults() {
    FileCheck check =
        FileCheck.of(
            List.of(
                HEADER,
                "2",
                "a -1 1 ALLGATHER 1048576 1 REDUCESCATTER 1048576 1 ALLREDUCE 1048576 100",
                "b -1 1 ALLTOALL_EP 5 1 ALLTOALL_EP 5 1 ALLREDUCE_DP_EP 1048576 100"));
    assertThat(check.faults()).isEmpty();
    assertThat(check.rows()).isEqualTo(2);
  }

  @Test
  void lineBreaksBehindTheSecondLineMeanNothing() {
    FileCheck check =
        FileCheck.of(
            List.of(HEADER, "2 rows", "a -1 1000 NONE 0 1000", "NONE 0 1000 NONE 0", "100 " + ROW));
    assertThat(check.faults()).isEmpty();
    assertThat(check.rows()).isEqualTo(2);
  }

  /** One fault each: a word of the good row, what stands there instead, and what is said. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          2 | 1000.5                  | ERROR   | forward compute of row 'a' is '1000.5', no whole number
          2 | -5                      | ERROR   | forward compute of row 'a' is '-5', no whole number
          8 | 2147483521              | ERROR   | weight-grad compute is 2147483521 ns
          2 | 9999999999999           | ERROR   | forward compute is 9999999999999 ns
          1 | x                       | ERROR   | dependency of row 'a' is 'x', no whole number
          3 | ALLGATHER 17179869185   | ERROR   | ALLGATHER of 17179869185 bytes
          6 | ALLTOALL_EP 17179869185 | ERROR   | ALLTOALL_EP of 17179869185 bytes
          3 | allreduce 5             | WARNING | 'allreduce' is no communication
          3 | BROADCAST 5             | WARNING | 'BROADCAST' is no communication
          3 | ALLREDUCE_PP 5          | WARNING | 'ALLREDUCE_PP' names a group that SimAI does not have
          3 | ALLREDUCEALLTOALL 5     | WARNING | 'ALLREDUCEALLTOALL' names a group
          9 | ALLTOALL_EP 1048576     | WARNING | ALLTOALL_EP in the weight-grad column
          6 | ALLREDUCE_DP_EP 1048576 | WARNING | ALLREDUCE_DP_EP outside the weight-grad column
          9 | ALLREDUCE 1048575       | WARNING | ALLREDUCE of 1048575 bytes among 12 ranks
          """)
  void aFaultOfARow(int field, String text, Level level, String message) {
    List<String> words = new ArrayList<>(List.of(ROW.split(" ")));
    words.set(field, text.split(" ")[0]);
    if (text.contains(" ")) {
      words.set(field + 1, text.split(" ")[1]);
    }
    List<Fault> faults = FileCheck.of(List.of(HEADER, "1", String.join(" ", words))).faults();
    assertThat(faults).hasSize(1);
    assertThat(faults.get(0).line()).isEqualTo(3);
    assertThat(faults.get(0).level()).isEqualTo(level);
    assertThat(faults.get(0).message()).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          2147483520 NONE 0
          0 ALLREDUCE 17179869185
          0 ALLGATHER 17179869184
          0 ALLREDUCE 524288
          0 REDUCESCATTER 0
          """)
  void whatSimaiTakesIsNoFault(String pass) {
    assertThat(
            FileCheck.of(List.of(HEADER, "1", "a -1 " + pass + " 0 NONE 0 0 NONE 0 100")).faults())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,true", "1,true", "2,false", "1048575,false", "1048576,true"})
  void aTensorParallelGroupOfOneDividesByZeroButForSmallMessages(long bytes, boolean fault) {

    List<Fault> faults =
        FileCheck.of(
                List.of(
                    HEADER.replace("NPU_group: 4", "NPU_group: 1"),
                    "1",
                    "a -1 1 ALLREDUCE " + bytes + " 1 NONE 0 1 NONE 0 100"))
            .faults();
    assertThat(faults.stream().anyMatch(each -> each.message().contains("a tensor-parallel group")))
        .isEqualTo(fault);
  }

  /** One fault each: what of the good header, its replacement, and what is said. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          HYBRID_TRANSFORMER_FWD_IN_BCKWD | TRANSFORMER      | ERROR   | 'TRANSFORMER' is no policy
          HYBRID_TRANSFORMER_FWD_IN_BCKWD | MICRO            | WARNING | SimAI-Analytical reads no degrees under the policy MICRO
          vpp: 1                          | vpp 1            | ERROR   | 'vpp: <number above 0>' is missing
          ga: 1                           | ga: 0            | ERROR   | 'ga: <number above 0>' is missing
          ep: 2                           | mode: 1          | ERROR   | 'ep: <number above 0>' is missing
          all_gpus: 48                    | all_gpus: 46     | WARNING | all_gpus: 46 is no multiple of the 4 ranks
          pp_comm: 0                      | pp_comm: 8.0     | WARNING | pp_comm: 8 with one stage
          pp: 1                           | pp: 2            | NOTE    | pp_comm: 0 with 2 stages
          checkpoints: 0                  | checkpoints: 2 0 2 | WARNING | checkpoints: has 2 layers
          """)
  void aFaultOfTheHeader(String good, String bad, Level level, String message) {
    List<Fault> faults = FileCheck.of(List.of(HEADER.replace(good, bad), "1", ROW)).faults();
    assertThat(faults).hasSize(1);
    assertThat(faults.get(0).line()).isEqualTo(1);
    assertThat(faults.get(0).level()).isEqualTo(level);
    assertThat(faults.get(0).message()).startsWith(message);
  }

  @Test
  void transfersBeyond31BitsAbort() {
    String header = HEADER.replace("pp: 1", "pp: 2").replace("pp_comm: 0", "pp_comm: 2147483648");
    assertThat(FileCheck.of(List.of(header, "1", ROW)).faults())
        .extracting(Fault::message)
        .containsExactly("pp_comm: 2147483648 does not fit 31 bits");
  }

  @Test
  void textBehindARowShiftsTheNext() {
    List<Fault> faults = FileCheck.of(List.of(HEADER, "2", ROW + " comment", ROW)).faults();
    assertThat(faults)
        .extracting(Fault::message)
        .containsExactly("dependency of row 'comment' is 'a', no whole number");
  }

  @Test
  void aNameWithABlankShiftsItsRow() {
    List<Fault> faults = FileCheck.of(List.of(HEADER, "1", "my " + ROW)).faults();
    assertThat(faults)
        .extracting(Fault::message)
        .containsExactly("dependency of row 'my' is 'a', no whole number");
  }

  @Test
  void fewerOrMoreRowsThanSaid() {
    assertThat(FileCheck.of(List.of(HEADER, "2", ROW)).faults())
        .extracting(Fault::level, Fault::message)
        .containsExactly(tuple(Level.ERROR, "there are 1 whole rows, line 2 says 2"));
    assertThat(FileCheck.of(List.of(HEADER, "1", ROW, ROW)).faults())
        .extracting(Fault::level, Fault::message)
        .containsExactly(tuple(Level.WARNING, "there is more than the 1 rows of line 2"));
  }

  @Test
  void theNumberOfRowsMustStandOnTheSecondLine() {
    assertThat(FileCheck.of(List.of(HEADER, ROW)).faults())
        .extracting(Fault::message)
        .containsExactly("the number of rows is missing");
    assertThat(FileCheck.of(List.of()).faults()).hasSize(2);
  }

  @Test
  void customizedRowsHaveAPolicyOfTheirOwn() {
    List<Fault> faults =
        FileCheck.of(List.of("HYBRID_CUSTOMIZED", "2", ROW + " DATA", ROW + " MODEL")).faults();
    assertThat(faults).extracting(Fault::line).containsExactly(1);
  }

  @Test
  void ofManyFaultsOfAKindThereAreTheFirstAndTheLast() {
    List<String> lines = new ArrayList<>(List.of(HEADER, "100"));
    IntStream.range(0, 100).forEach(i -> lines.add(ROW.replaceFirst("NONE", "none")));
    List<Fault> faults = FileCheck.of(lines).faults();
    assertThat(faults).extracting(Fault::line).containsExactly(3, 4, 5, 6, 7, 102);
    assertThat(faults.get(5).remedy()).endsWith("The last of 100 such places.");
  }

  @Test
  void onlyFilesThatBeginWithAPolicyAreMeantForSimai(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("b.txt"), HEADER + "\n");
    Files.writeString(directory.resolve("a.txt"), "MICRO\n");
    Files.writeString(directory.resolve("notes.txt"), "some notes\n");
    Files.writeString(directory.resolve("empty.txt"), "");
    Files.write(directory.resolve("bytes.txt"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});
    Files.writeString(directory.resolve("c.csv"), HEADER + "\n");
    assertThat(FileCheck.find(directory))
        .containsExactly(directory.resolve("a.txt"), directory.resolve("b.txt"));
  }

  @Test
  void degreesOfAnyLengthHaveAProduct() {
    String huge = HEADER.replace("group: 4", "group: 100000000000000000");
    FileCheck check = FileCheck.of(List.of(huge.replace("pp: 1", "pp: 1000"), "1", ROW));
    assertThat(check.faults())
        .extracting(Fault::message)
        .contains("all_gpus: 48 is no multiple of the 9223372036854775807 ranks of tp and pp");
  }
}
