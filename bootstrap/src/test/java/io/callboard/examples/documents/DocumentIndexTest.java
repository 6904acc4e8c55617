package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.documents.DocumentIndex.Entry;
import io.callboard.examples.documents.Gazetteer.Mention;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentIndexTest {
  private static final List<Mention> TURING = List.of(new Mention("Alan Turing", "person", 2));

  @TempDir Path directory;

  @Test
  void aDocumentThatComesAgainReplacesItself() throws Exception {
    try (DocumentIndex index = DocumentIndex.open(directory)) {
      index.put("b.txt", "", "de", "Text", List.of());
      index.put("a.html", "Old", "en", "Some text", List.of());
      index.put("a.html", "New", "en", "Other", TURING);
      assertThat(index.all())
          .containsExactly(
              new Entry("a.html", "New", "en", 5, List.of("Alan Turing")),
              new Entry("b.txt", "", "de", 4, List.of()));
      assertThat(index.documentsWith("Alan Turing")).isEqualTo(1);
    }
  }

  @Test
  void documentsAreThereWhenTheIndexIsOpenedAgain() throws Exception {
    try (DocumentIndex index = DocumentIndex.open(directory)) {
      index.put("a", "", "en", "text", List.of());
    }
    try (DocumentIndex index = DocumentIndex.open(directory)) {
      assertThat(index.all()).hasSize(1);
    }
  }

  @Test
  void theReportHasWhatIsInTheIndexAndInQuarantine() throws Exception {
    Quarantine quarantine = new Quarantine(directory.resolve("quarantine"));
    assertThat(quarantine.documents()).isEmpty();
    quarantine.put("bad.txt", "it is no text");
    quarantine.put("bad.txt", "it is no text");
    assertThat(Files.readString(directory.resolve("quarantine/bad.txt.txt")))
        .isEqualTo("it is no text\n");
    LibraryReport report =
        new LibraryReport(
            List.of(
                new Entry("a.html", "A | B", "en", 5, List.of("Alan Turing", "London")),
                new Entry("b.txt", "", "de", 4, List.of("London"))),
            quarantine.documents());
    assertThat(report.markdown())
        .isEqualTo(
            """
            # Library

            2 documents are indexed, 1 could not be read.

            | document | title | language | characters | entities |
            |---|---|---|---|---|
            | a.html | A \\| B | en | 5 | Alan Turing, London |
            | b.txt |  | de | 4 | London |

            ## Languages

            - de: 1
            - en: 1

            ## Entities in most documents

            - London: 2
            - Alan Turing: 1

            ## In quarantine

            - bad.txt
            """);
  }
}
