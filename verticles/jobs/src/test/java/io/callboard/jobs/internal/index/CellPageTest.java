package io.callboard.jobs.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.grid.internal.index.Coverage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Merging of the answers of nodes; a job's partition is the last digit of its id. */
class CellPageTest {
  private static IndexAnswer.Page answer(Map<Integer, Long> epochs, RowRef... rows) {
    return new IndexAnswer.Page(List.of(rows), List.of(), new Coverage(epochs, false));
  }

  private static CellPage merged(int most, IndexAnswer.Page... answers) {
    return CellPage.of(
        List.of(answers),
        Set.of("n2", "n1"),
        3,
        id -> Integer.parseInt(id.substring(id.length() - 1)),
        true,
        most);
  }

  private static RowRef row(String id, long version) {
    return new RowRef(id, version);
  }

  @Test
  void answersAreMergedInTheOrderOfTheList() {
    CellPage page =
        merged(
            3,
            answer(Map.of(0, 1L, 1, 1L), row("a0", 1), row("c1", 1), row("d1", 1)),
            answer(Map.of(2, 1L), row("b2", 1), row("e2", 1)));
    assertThat(page.rows()).extracting(RowRef::id).containsExactly("a0", "b2", "c1");
    assertThat(page.complete()).isTrue();
    assertThat(page.missing()).as("nothing is missing").isEmpty();
  }

  @Test
  void aPageWithoutAPartitionIsNotComplete() {
    CellPage page = merged(9, answer(Map.of(0, 1L, 2, 1L), row("a0", 1), row("b1", 1)));
    assertThat(page.complete()).isFalse();
    assertThat(page.missing()).containsExactly("n1", "n2");
    assertThat(page.rows())
        .as("what is known of a partition that is being read is shown")
        .extracting(RowRef::id)
        .containsExactly("a0", "b1");
    assertThat(merged(9).complete()).isFalse();
  }

  @Test
  void theHigherEpochOfAPartitionCounts() {
    CellPage page =
        merged(
            9,
            answer(Map.of(0, 1L, 1, 4L, 2, 1L), row("a1", 9), row("gone1", 9), row("x0", 1)),
            answer(Map.of(1, 5L), row("a1", 8)));
    assertThat(page.rows()).containsExactly(row("a1", 8), row("x0", 1));
    assertThat(page.complete()).isTrue();
  }
}
