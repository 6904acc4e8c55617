package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionFileTest {
  @TempDir Path directory;

  @Test
  void aFileInAnotherEncodingIsRefusedInWords() throws IOException {
    for (Charset other : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE)) {
      Path file = directory.resolve(other.name() + ".yaml");
      Files.writeString(file, "name: cafe\nsteps: {}\n", other);
      assertThatThrownBy(() -> DefinitionFile.read(file.toString()))
          .isInstanceOf(IOException.class)
          .hasMessage("%s cannot be read: it is UTF-16, and must be UTF-8", file);
    }
    Path latin = directory.resolve("latin.yaml");
    Files.writeString(latin, "name: caf\u00e9\nsteps: {}\n", StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> DefinitionFile.read(latin.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "%s cannot be read: it is not UTF-8, as it must be: byte 10", latin);
  }
}
