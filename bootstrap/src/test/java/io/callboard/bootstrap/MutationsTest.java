package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The profile {@code mutations} would leave out silently what it names and is no more. */
class MutationsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private final Pom parent = Pom.of(ROOT.resolve("pom.xml"));

  private List<String> named(String list) {
    return parent.texts("/project/profiles/profile[id='mutations']//" + list + "/param");
  }

  /** Returns the source files of all modules with this name, in which a star may stand. */
  private static List<Path> files(String folder, String name) throws IOException {
    int last = name.lastIndexOf('.');
    Path room = Path.of(folder, name.substring(0, last).split("\\."));
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT.resolve("verticles"))) {
      for (Path module : modules) {
        if (Files.isDirectory(module.resolve(room))) {
          found.addAll(matching(module.resolve(room), name.substring(last + 1) + ".java"));
        }
      }
    }
    return found;
  }

  private static List<Path> matching(Path room, String glob) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(room, glob)) {
      return StreamSupport.stream(files.spliterator(), false).toList();
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
