package io.callboard.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the index is asked for of a searched text. */
class RareWordsTest {
  @Test
  void wordsHaveATrigramAndTheCharacterBehindThem() {
    assertThat(RareWords.words("./report.sh order-7654 "))
        .containsExactly("report.", "sh ", "order-", "7654 ");
    assertThat(RareWords.words("a bc def")).containsExactly("bc ", "def");
    assertThat(RareWords.words("team=t7")).containsExactly("team=");
    assertThat(RareWords.words("")).isEmpty();
    assertThat(RareWords.words("-- ")).isEmpty();
  }

  /** A database is not asked for half of a character, which nothing contains. */
  @Test
  void aWordEndsBeforeACharacterOfTwoHalves() {
    assertThat(RareWords.words("order77\uD83D\uDE00 report\uD835\uDC9Cend"))
        .containsExactly("order77", "report", "end");
    assertThat(RareWords.words("ab\uD83D\uDE00")).isEmpty();
  }

  @Test
  void aWordOfHalfOfTheRowsIsNotRare() {
    List<String> sample = List.of("order-1 a", "order-2 a", "order-3 b", "order-4 b");
    assertThat(RareWords.rare(List.of("order-", "a", "4 b"), sample)).containsExactly("4 b");
  }

  @Test
  void allEndsOfAWordAreOne() {
    List<String> sample = List.of("order-1", "an order");
    assertThat(RareWords.rare(List.of("order_", "7654 "), sample)).containsExactly("7654 ");
    assertThat(RareWords.rare(List.of("ord ", "der "), sample)).containsExactly("ord ");
  }

  @Test
  void withoutAFrequentWordOrARareOneTheWholeTextIsSearchedFor() {
    assertThat(RareWords.rare(List.of("one", "two"), List.of("x", "y"))).isEmpty();
    assertThat(RareWords.rare(List.of("one", "two"), List.of("one two", "two one"))).isEmpty();
  }

  /** Its rows come soon in the order of their ids; the index would find all of them first. */
  @Test
  void aTextThatManyRowsHaveIsSearchedForAsAWhole() {
    List<String> sample = List.of("order beta", "order x", "order y", "order z");
    assertThat(RareWords.of("order beta", sample)).isEmpty();
    assertThat(RareWords.of("beta order", sample)).containsExactly("beta ");
  }

  @Test
  void withoutStatisticsTheWholeTextIsSearchedFor() {
    assertThat(RareWords.rare(List.of("one", "two"), List.of())).isEmpty();
  }
}
