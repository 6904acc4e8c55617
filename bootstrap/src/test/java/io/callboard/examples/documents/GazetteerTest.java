package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.documents.Gazetteer.Entity;
import io.callboard.examples.documents.Gazetteer.Mention;
import java.util.List;
import org.junit.jupiter.api.Test;

class GazetteerTest {
  private static Gazetteer gazetteer() throws Exception {
    return Gazetteer.of(
        List.of(
            new Entity("York", "place"),
            new Entity("New York", "place"),
            new Entity("Ada Lovelace", "person"),
            new Entity("Göttingen", "place")));
  }

  @Test
  void theLongestNameCounts() throws Exception {
    assertThat(gazetteer().find("From York to New York, and back to New  York."))
        .containsExactly(new Mention("New York", "place", 2), new Mention("York", "place", 1));
  }

  @Test
  void caseAndPunctuationDoNotMatterAndWordsAreWhole() throws Exception {
    assertThat(gazetteer().find("ADA LOVELACE; Yorkshire, göttingen! Ada alone"))
        .containsExactly(
            new Mention("Ada Lovelace", "person", 1), new Mention("Göttingen", "place", 1));
  }

  @Test
  void anArticleWithAnApostropheIsNoPartOfAName() throws Exception {
    assertThat(Gazetteer.bundled().find("L'École polytechnique; d’Italie"))
        .containsExactly(
            new Mention("Italie", "country", 1),
            new Mention("École polytechnique", "organisation", 1));
  }

  @Test
  void aNameThatIsCutByTheEndIsNone() throws Exception {
    assertThat(gazetteer().find("New")).isEmpty();
    assertThat(gazetteer().find("")).isEmpty();
  }

  @Test
  void theListOfTheExampleHasManyNames() throws Exception {
    assertThat(Gazetteer.bundled().find("Alan Turing was at Bletchley Park, not in Wien."))
        .containsExactly(
            new Mention("Alan Turing", "person", 1),
            new Mention("Bletchley Park", "organisation", 1),
            new Mention("Wien", "place", 1));
  }
}
