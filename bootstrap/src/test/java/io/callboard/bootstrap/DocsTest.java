package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java in the reference is a part of an example that compiles; links lead to what is there. */
class DocsTest {
  private static final Path HOME = Path.of(System.getProperty("user.dir"));

  /** A link of Markdown to a file: its path, without the place in it. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#\\s]+)");

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

  @Test
  void whatTheDocumentationLinksToIsThere() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(HOME.resolveSibling("README.md")));
    try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    List<String> links = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        links.add(link.group(1));
        if (!Files.exists(page.resolveSibling(link.group(1)))) {
          broken.add(page.getFileName() + ": " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links that were found").hasSizeGreaterThan(30);
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
