package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;

/** Validators that find too little, too much, or throw. */
class ValidatorContractTest {
  @TempDir Path temp;

  /** Checks the text of one file. */
  private interface Check {
    List<Diagnostic> of(Path file, String text);
  }

  private static List<Diagnostic> error(Path file) {
    return List.of(Diagnostic.error(file.toString(), "is damaged", ""));
  }

  private ValidatorContract contract(Check check) {
    ValidatorContract contract = new Contract(new OneFile(check));
    contract.temp = temp;
    return contract;
  }

  @Test
  void whatTellsADamagedFileKeepsIt() {
    ValidatorContract contract =
        contract((file, text) -> text.equals("mine\nend\n") ? List.of() : error(file));

    assertThatCode(
            () -> {
              contract.findsNothingWrongWithTheSample();
              contract.saysInOneLineWhatItLookedAt();
              contract.reportsProgressUpToTheTotal();
              contract.refusesAnEmptyFileByName();
              contract.refusesRandomBytesByName();
              contract.noticesThatAFileIsCutShort();
              contract.readsOrRefusesAFileWithSomeBytesDamaged();
            })
        .doesNotThrowAnyException();
  }

  @Test
  void whatFindsNothingBreaksIt() {
    ValidatorContract contract = contract((file, text) -> List.of());

    assertThatThrownBy(contract::refusesAnEmptyFileByName).isInstanceOf(AssertionError.class);
    assertThatThrownBy(contract::refusesRandomBytesByName).isInstanceOf(AssertionError.class);
    assertThatThrownBy(contract::noticesThatAFileIsCutShort).isInstanceOf(AssertionError.class);
  }

  @Test
  void whatFindsAlwaysSomethingBreaksIt() {
    ValidatorContract contract = contract((file, text) -> error(file));

    assertThatThrownBy(contract::findsNothingWrongWithTheSample).isInstanceOf(AssertionError.class);
  }

  @Test
  void whatThrowsWhereItShouldReportBreaksIt() {
    ValidatorContract contract =
        contract(
            (file, text) -> {
              throw new InputException(file.toString(), "is damaged", "");
            });

    assertThatThrownBy(contract::refusesAnEmptyFileByName).isInstanceOf(InputException.class);
    assertThatThrownBy(contract::readsOrRefusesAFileWithSomeBytesDamaged)
        .isInstanceOf(AssertionError.class);
  }

  private record OneFile(Check check) implements TraceValidator {
    @Override
    public String name() {
      return "mine";
    }

    @Override
    public String description() {
      return "checks one file";
    }

    @Override
    public boolean accepts(Path directory) {
      return true;
    }

    @Override
    public Validation validate(Path directory, Progress progress) throws IOException {
      Path file = directory.resolve("job.txt");
      progress.report(1, 1, "files");
      String text = new String(Files.readAllBytes(file), UTF_8);
      return new Validation("1 file", check.of(file, text));
    }
  }

  private static final class Contract extends ValidatorContract {
    private final TraceValidator validator;

    Contract(TraceValidator validator) {
      this.validator = validator;
    }

    @Override
    protected TraceValidator validator() {
      return validator;
    }

    @Override
    protected Path writeSample(Path folder) throws IOException {
      return Files.writeString(folder.resolve("job.txt"), "mine\nend\n");
    }
  }
}
