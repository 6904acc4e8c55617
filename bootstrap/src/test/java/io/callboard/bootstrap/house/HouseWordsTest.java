package io.callboard.bootstrap.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.house.Javadoc.Declaration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The API that is published for tests is documented, and all documentation begins with a thing. */
class HouseWordsTest {
  /** First words of a sentence that has a clause or a pronoun where the name of a thing belongs. */
  private static final Pattern NO_THING =
      Pattern.compile("(How|It|That|They|Those|What|Where|Which|Who|Whose)\\b.*", Pattern.DOTALL);

  @Test
  void aFirstSentenceBeginsWithTheNameOfAThing() {
    List<Declaration> product = Javadoc.of(Sources.ofTheProduct());
    assertThat(product).as("declarations").hasSizeGreaterThan(10_000);
    assertThat(
            product.stream()
                .filter(each -> each.text() != null && NO_THING.matcher(each.text()).matches())
                .map(each -> each.where() + " " + each.text()))
        .isEmpty();
  }

  /** Nodes hold roles, and others stand by. */
  @Test
  void nothingIsAMasterOrASlave() {
    assertThat(Sources.ofTheProduct())
        .extracting(file -> file.getFileName().toString())
        .noneMatch(name -> name.contains("Master") || name.contains("Slave"));
  }

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
