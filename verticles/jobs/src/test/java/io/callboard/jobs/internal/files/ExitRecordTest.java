package io.callboard.jobs.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitRecordTest {
  @TempDir Path directory;

  @Test
  void aRecordIsReadWholeOrNotAtAll() throws Exception {
    assertThat(ExitRecord.read(directory)).isEmpty();
    for (String torn : new String[] {"", "1", "12", "nonsense\n", "\n"}) {
      Files.writeString(directory.resolve("exit"), torn);
      assertThat(ExitRecord.read(directory)).as(torn).isEmpty();
    }
    Files.writeString(directory.resolve("exit"), "12\n");
    assertThat(ExitRecord.read(directory).orElseThrow().exitCode()).isEqualTo(12);
  }

  @Test
  void aReasonIsKeptOnOneLine() throws Exception {
    ExitRecord.write(directory, 137, "killed\nfor good");

    ExitRecord record = ExitRecord.read(directory).orElseThrow();
    assertThat(record.exitCode()).isEqualTo(137);
    assertThat(record.error()).contains("killed for good");
  }
}
