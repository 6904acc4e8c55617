package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every package is either documented for users or kept out of the published Javadoc. */
class PublicPackagesTest {
  private static final Set<String> ALL =
      PublicPackages.modules().stream()
          .flatMap(module -> module.packages().stream())
          .collect(Collectors.toCollection(TreeSet::new));

  @Test
  void everyPackageIsEitherForUsersOrExcluded() {
    assertThat(ALL).hasSizeGreaterThan(70);
    assertThat(ALL)
        .allSatisfy(
            each ->
                assertThat(isExcluded(each))
                    .as(
                        "%s is excluded; add it to DOCUMENTED if users program against it, else to"
                            + " excludePackageNames in the parent pom",
                        each)
                    .isNotEqualTo(PublicPackages.DOCUMENTED.contains(each)));
  }

  private static boolean isExcluded(String name) {
    return PublicPackages.excluded().stream()
        .anyMatch(each -> PublicPackages.pattern(each).matcher(name).matches());
  }

  @Test
  void whatIsListedExists() {
    assertThat(ALL).containsAll(PublicPackages.DOCUMENTED);
    assertThat(PublicPackages.excluded())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            each ->
                assertThat(ALL).as(each).anyMatch(PublicPackages.pattern(each).asMatchPredicate()));
  }

  @Test
  void aStarIsOneName() {
    assertThat(List.of("a.b", "a.b.c", "a.bc", "a"))
        .filteredOn(PublicPackages.pattern("a.*").asMatchPredicate())
        .containsExactly("a.b", "a.bc");
  }
}
