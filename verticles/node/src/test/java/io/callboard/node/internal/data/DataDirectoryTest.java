package io.callboard.node.internal.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

  @Test
  void aDirectoryKnowsTheNamesOfItsNode() throws IOException {
    Path data = parent.resolve("named");
    assertThat(DataDirectory.nodeName(data)).isEmpty();
    try (DataDirectory held = DataDirectory.open(data)) {
      assertThat(held.called("a", NOON)).isEmpty();
      assertThat(held.called("a", NOON.plusSeconds(1))).isEmpty();
    }
    assertThat(DataDirectory.nodeName(data)).contains("a");
    try (DataDirectory held = DataDirectory.open(data)) {
      assertThat(held.called("b", NOON.plusSeconds(2)))
          .containsExactly(Map.entry("a", NOON.plusSeconds(2)));
    }
    try (DataDirectory held = DataDirectory.open(data)) {
      assertThat(held.called("b", NOON.plusSeconds(3)))
          .as("the time of the change stays")
          .containsExactly(Map.entry("a", NOON.plusSeconds(2)));
      assertThat(held.called("a", NOON.plusSeconds(4)))
          .containsExactly(Map.entry("b", NOON.plusSeconds(4)));
    }
  }

  @Test
  void onlyTheLastFormerNamesAreKept() throws IOException {
    try (DataDirectory held = DataDirectory.open(parent.resolve("many"))) {
      for (int i = 0; i < 20; i++) {
        var unused = held.called("n" + i, NOON.plusSeconds(i));
      }
      assertThat(held.called("last", NOON.plusSeconds(20)).keySet())
          .hasSize(DataDirectory.FORMER_NAMES)
          .contains("n19")
          .doesNotContain("n0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"format", "home-id", "lock"})
  void aFileOfTheDirectoryThatIsADirectoryIsNamed(String name) throws IOException {
    Path data = parent.resolve("damaged");
    Path file = Files.createDirectories(data.resolve(name));
    assertThatThrownBy(() -> DataDirectory.open(data).close())
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining(file + " cannot be ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"format", "home-id"})
  void aFileThatIsNotUtf8IsNamed(String name) throws IOException {
    Path data = Files.createDirectories(parent.resolve("damaged"));
    Path file = Files.write(data.resolve(name), new byte[] {(byte) 0xff});
    assertThatThrownBy(() -> DataDirectory.open(data).close())
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining(file + " cannot be read: it is not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b c\n", "", "a\n\n", "a\nb yesterday\n"})
  void aDamagedRecordOfTheNameIsNamed(String content) throws IOException {
    Path data = Files.createDirectories(parent.resolve("damaged"));
    Path file = Files.writeString(data.resolve("node-name"), content);
    assertThat(DataDirectory.nodeName(data)).isEmpty();
    assertThatThrownBy(() -> DataDirectory.open(data).close())
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageStartingWith(file + " is damaged: ");
  }
}
