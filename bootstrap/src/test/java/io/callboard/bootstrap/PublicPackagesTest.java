package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
        .filteredOn(each -> isExcluded(each) == PublicPackages.DOCUMENTED.contains(each))
        .as(
            "packages that are neither or both: those for users belong into DOCUMENTED, all others"
                + " into excludePackageNames of the parent pom")
        .isEmpty();
  }

  private static boolean isExcluded(String name) {
    return PublicPackages.excluded().stream()
        .anyMatch(each -> PublicPackages.pattern(each).matcher(name).matches());
  }

  @Test
  void everyListedPackageExists() {
    assertThat(ALL).containsAll(PublicPackages.DOCUMENTED);
    assertThat(PublicPackages.excluded())
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(ALL).as(each).anyMatch(PublicPackages.pattern(each).asMatchPredicate()));
  }

  /** Newer JDKs render such a link as a box that says "invalid reference", without a warning. */
  @Test
  void noPackageForUsersLinksToAnExcludedOne() {
    Pattern link = Pattern.compile("\\{@link(?:plain)?[\\s*]+(io\\.callboard(?:\\.[a-z]+)+)[\\s}]");
    List<String> links = new ArrayList<>();
    for (Path file : PublicPackages.sources()) {
      link.matcher(read(file))
          .results()
          .map(found -> found.group(1))
          .filter(PublicPackagesTest::isExcluded)
          .forEach(
              found -> links.add(file.getFileName() + " of " + file.getParent() + ": " + found));
    }
    assertThat(links).as("write {@code …} for these").isEmpty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStarIsOneName() {
    assertThat(List.of("a.b", "a.b.c", "a.bc", "a"))
        .filteredOn(PublicPackages.pattern("a.*").asMatchPredicate())
        .containsExactly("a.b", "a.bc");
    assertThat(
            List.of("a.internal.b", "a.b.internal.c", "a.internal", "internal.b", "a.internal.b.c"))
        .filteredOn(PublicPackages.pattern("*.internal.*").asMatchPredicate())
        .containsExactly("a.internal.b", "a.b.internal.c");
  }
}
