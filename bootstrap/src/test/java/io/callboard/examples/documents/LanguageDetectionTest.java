package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageDetectionTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "boole.txt, en",
    "hopper.txt, en",
    "turing.html, en",
    "ada-lovelace.html, en",
    "analytical-engine.html, en",
    "zuse.txt, de",
    "gauss.txt, de",
    "noether.html, de",
    "pascal.html, fr",
    "germain.txt, fr",
    "agnesi.html, it",
    "volta.txt, it",
    "torres-quevedo.txt, es",
    "cajal.html, es",
  })
  void theDocumentsOfTheExampleAreKnown(String name, String language) throws Exception {
    Library.write(directory);
    String text = HtmlCleaning.clean(DocumentReading.read(directory.resolve(name)).text()).text();
    assertThat(LanguageDetection.detect(text).code()).isEqualTo(language);
  }

  @Test
  void aTextWithoutWordsHasNoLanguage() {
    assertThat(LanguageDetection.detect("12 + 34 = 46").code()).isEqualTo("?");
  }
}
