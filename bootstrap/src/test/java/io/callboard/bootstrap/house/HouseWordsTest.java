package io.callboard.bootstrap.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.house.Javadoc.Declaration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The API that is published for tests is documented. */
class HouseWordsTest {
  @Test
  void theTestkitsApiIsDocumented() {
    List<Declaration> testkit =
        Javadoc.of(
            Sources.ofTheProduct().stream()
                .filter(file -> Sources.unix(file).startsWith("verticles/testkit/"))
                .toList());
    assertThat(testkit).as("declarations").hasSizeGreaterThan(300);
    assertThat(
            testkit.stream()
                .filter(each -> each.api() && (each.text() == null || each.text().isEmpty()))
                .map(each -> each.where() + " " + each.name()))
        .isEmpty();
  }
}
