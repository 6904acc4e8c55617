package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class DataDirectoryTest {
  private static void refused(Path path, String message) {
    assertThatThrownBy(() -> DataDirectory.open(path))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.exitCode()).isEqualTo(Refusal.FAILED))
        .hasMessageStartingWith("the data directory " + path + " ")
        .hasMessageContaining(message)
        .hasMessageEndingWith("; choose another with --data");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whereNothingCanBeMadeIsNamed() {
    refused(Path.of("/proc/x"), "cannot be made, nothing can be made in /proc");
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.createFile(RunningNode.directory("data-file").resolve("file"));
    refused(file, "is a file");
    refused(file.resolve("below"), "cannot be used: Not a directory");
  }
}
