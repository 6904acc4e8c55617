package io.callboard.node.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class DataDirectoryTest {
  @TempDir Path parent;

  private static void refused(Path path, String message) {
    assertThatThrownBy(() -> DataDirectory.open(path))
        .isInstanceOfSatisfying(
            DataDirectoryException.class, e -> assertThat(e.isUnusable()).isTrue())
        .hasMessageStartingWith("the data directory " + path + " ")
        .hasMessageContaining(message);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whereNothingCanBeMadeIsNamed() {
    refused(Path.of("/proc/x"), "cannot be created: nothing can be created in /proc");
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.createFile(parent.resolve("file"));
    refused(file, "is a file");
    refused(file.resolve("below"), "cannot be used: Not a directory");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLinkThatLeadsNowhereIsNamed() throws IOException {
    Path link = Files.createSymbolicLink(parent.resolve("link"), parent.resolve("gone"));
    refused(link, "is a link to " + parent.resolve("gone") + ", which does not exist");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aCopyIsRefusedWhileItsOriginalIsInUse() throws IOException {
    Path original = parent.resolve("original");
    Path copy = Files.createDirectories(parent.resolve("copy"));
    DataDirectory held = DataDirectory.open(original);
    Files.copy(original.resolve("home-id"), copy.resolve("home-id"));

    assertThatThrownBy(() -> DataDirectory.open(copy))
        .hasMessage(
            "the data directory %s has the identity of %s, which process %d uses: one is a copy of the other; stop that process, or delete %s/home-id to make this a node of its own"
                .formatted(copy, original, ProcessHandle.current().pid(), copy));

    held.close();
    DataDirectory.open(copy).close();
    DataDirectory.open(original).close();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aDirectoryWhoseLockFileWasDeletedIsStillInUse() throws IOException {
    Path data = parent.resolve("unlocked");
    DataDirectory held = DataDirectory.open(data);
    Files.delete(data.resolve("lock"));

    refused(data, "is in use by process " + ProcessHandle.current().pid());

    held.close();
    DataDirectory.open(data).close();
  }
}
