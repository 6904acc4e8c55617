package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java in the reference is a part of an example that compiles. */
class DocsTest {
  private static final Path HOME = Path.of(System.getProperty("user.dir"));

  private static List<String> blocks(Path page) throws IOException {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = null;
    for (String line : Files.readAllLines(page)) {
      if (line.equals("```java")) {
        block = new StringBuilder();
      } else if (line.equals("```") && block != null) {
        blocks.add(block.toString());
        block = null;
      } else if (block != null) {
        block.append(line).append('\n');
      }
    }
    return blocks;
  }

  @Test
  void whatTheReferenceShowsCompiles() throws IOException {
    assertCompiled("docs/actors.md", "src/examples/java");
    assertCompiled("docs/supervision.md", "src/examples/java");
    assertCompiled("docs/persistence.md", "src/examples/java");
    assertCompiled("docs/grid.md", "src/examples/java");
  }

  @Test
  void whatIsSaidOfTestingCompilesAndRuns() throws IOException {
    assertCompiled("docs/testing.md", "src/test/java/io/callboard/examples");
  }

  private static void assertCompiled(String page, String sources) throws IOException {
    StringBuilder examples = new StringBuilder();
    try (Stream<Path> files = Files.walk(HOME.resolve(sources))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        examples.append(Files.readString(file));
      }
    }
    List<String> blocks = blocks(HOME.resolve(page));
    assertThat(blocks).hasSizeGreaterThan(3);
    assertThat(blocks).allSatisfy(block -> assertThat(examples.toString()).contains(block));
  }
}
