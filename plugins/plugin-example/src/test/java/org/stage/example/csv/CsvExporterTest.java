package org.stage.example.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

class CsvExporterTest {
  @TempDir Path folder;

  @Test
  void writesANodeALine() throws Exception {
    TestExport.of(new CsvExporter()).run(Corpus.get("data-parallel"), folder);

    assertThat(Files.readString(folder.resolve("rank3.csv")))
        .isEqualTo(
            """
            id,name,kind,phase,flops,bytes,dependencies
            0,mb0.up,compute,forward,65536,12288,
            1,mb0.up.grad,compute,backward,131072,24576,0
            2,up.grad,all-reduce,backward,0,8192,1
            3,adam,compute,optimizer,4096,49152,2
            """
                .replace("\n", "\r\n"));
  }

  @Test
  void quotesWhatWouldBreakALine() throws Exception {
    TestExport.of(new CsvExporter())
        .option("heading", "false")
        .run(Corpus.chain(List.of("a,b", "say \"x\"", "two\nlines")), folder);

    assertThat(Files.readString(folder.resolve("rank0.csv")))
        .isEqualTo(
            "0,\"a,b\",compute,forward,65536,12288,\r\n"
                + "1,\"say \"\"x\"\"\",compute,forward,65536,12288,0\r\n"
                + "2,\"two\nlines\",compute,forward,65536,12288,1\r\n");
  }
}
