package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartialTest {
  @Test
  void namesTheFirstNodesThatDoNotAnswer() {
    assertThat(Partial.why(List.of())).contains("the archive's database does not answer");
    assertThat(Partial.why(List.of("n1", "n2"))).isEqualTo("no answer from n1, n2");
    assertThat(Partial.why(IntStream.range(0, 30).mapToObj(i -> "n" + i).toList()))
        .endsWith("n9 and 20 more");
  }

  @Test
  void theArchiveIsNotNamedForNumbers() {
    assertThat(Partial.ofCounts(List.of("b", "c"))).isEqualTo("no answer from b, c");
    assertThat(Partial.ofCounts(List.of())).isEqualTo("a node still reads what it has");
  }
}
