package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.examples.documents.DocumentReading.Content;
import io.callboard.examples.documents.DocumentReading.Kind;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentReadingTest {
  @TempDir Path directory;

  private Path file(String name, byte... content) throws Exception {
    return Files.write(directory.resolve(name), content);
  }

  @Test
  void htmlIsKnownByItsNameOrItsFirstTag() throws Exception {
    Path named = Files.writeString(directory.resolve("a.HTM"), "text");
    Path tagged = Files.writeString(directory.resolve("b"), "\n<!DOCTYPE html><p>text");
    Path plain = Files.writeString(directory.resolve("c.txt"), "x < y");
    assertThat(DocumentReading.read(named)).isEqualTo(new Content(Kind.HTML, "text"));
    assertThat(DocumentReading.read(tagged).kind()).isEqualTo(Kind.HTML);
    assertThat(DocumentReading.read(plain)).isEqualTo(new Content(Kind.TEXT, "x < y"));
  }

  @Test
  void aDocumentThatIsNoTextIsReportedByName() throws Exception {
    Path latin = file("latin.txt", (byte) 'G', (byte) 0xf6, (byte) 't');
    Path binary = file("binary.txt", (byte) 'a', (byte) 0);
    assertThatThrownBy(() -> DocumentReading.read(latin))
        .isInstanceOf(UnreadableDocument.class)
        .hasMessage("latin.txt is no text in UTF-8: convert it, or leave it out");
    assertThatThrownBy(() -> DocumentReading.read(binary))
        .isInstanceOf(UnreadableDocument.class)
        .hasMessage("binary.txt is a binary file: leave it out");
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() throws Exception {
    Path large = file("large.txt", new byte[(4 << 20) + 1]);
    assertThatThrownBy(() -> DocumentReading.read(large))
        .hasMessage("large.txt has 4,194,305 bytes; at most 4,194,304 are read");
  }

  @Test
  void aFileThatIsNotThereIsAnotherFailure() {
    assertThatThrownBy(() -> DocumentReading.read(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
