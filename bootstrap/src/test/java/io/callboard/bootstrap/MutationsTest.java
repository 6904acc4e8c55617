package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The profile {@code mutations} would leave out silently what it names and is no more. */
class MutationsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private final Pom parent = Pom.of(ROOT.resolve("pom.xml"));

  private List<String> named(String list) {
    return parent.texts("/project/profiles/profile[id='mutations']//" + list + "/param");
  }

  /** Returns the files of all modules whose paths end so; a star is any text without a slash. */
  private static List<Path> files(String folder, String name) throws IOException {
    String end = "glob:**/%s/%s.java".formatted(folder, name.replace('.', '/'));
    try (Stream<Path> all = Files.walk(ROOT.resolve("verticles"))) {
      return all.filter(ROOT.getFileSystem().getPathMatcher(end)::matches).toList();
    }
  }

  @Test
  void eachClassThatIsMutatedIsAMachine() throws IOException {
    List<String> classes = named("targetClasses");
    assertThat(classes).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    for (String name : classes) {
      assertThat(files("src/main/java", name))
          .as(name)
          .singleElement()
          .satisfies(file -> assertThat(file).content().contains("\n@Machine\n"));
    }
  }

  @Test
  void thereAreTestsOfEachName() throws IOException {
    List<String> tests = named("targetTests");
    assertThat(tests).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    for (String name : tests) {
      assertThat(files("src/test/java", name)).as(name).isNotEmpty();
    }
  }
}
