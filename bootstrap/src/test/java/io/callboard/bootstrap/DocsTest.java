package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.pollers.SourcesOptions;
import io.callboard.workflows.definition.DefinitionReader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The Java in the reference is a part of an example that compiles; links lead to what is there. */
class DocsTest {
  private static final Path HOME = Path.of(System.getProperty("user.dir"));

  /** A link of Markdown to a file: its path, then the section in it, if it names one. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

  private static List<String> blocks(Path page) throws IOException {
    return blocks(page, "java");
  }

  private static List<String> blocks(Path page, String language) throws IOException {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = null;
    for (String line : Files.readAllLines(page)) {
      if (line.equals("```" + language)) {
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
  void theCodeOfTheReferenceCompiles() throws IOException {
    assertCompiled("docs/actors.md", "src/examples/java");
    assertCompiled("docs/supervision.md", "src/examples/java");
    assertCompiled("docs/persistence.md", "src/examples/java");
    assertCompiled("docs/grid.md", "src/examples/java");
    assertCompiled("docs/embedding.md", "src/examples/java");
    assertCompiled("docs/guides/workflows.md", "src/examples/java");
    assertCompiled("docs/guides/jobs.md", "src/examples/java");
  }

  /** Of a project that {@link NewProjectIT} builds and runs. */
  @Test
  void pomAndLoggingOfTheEmbeddingPageAreInTheNewProject(@TempDir Path project) throws IOException {
    new NewProject("com.example.visitors", "visitors", false).write(project);
    String files =
        Files.readString(project.resolve("pom.xml"))
            + Files.readString(project.resolve("src/main/resources/logback.xml"));
    List<String> shown = blocks(HOME.resolve("docs/embedding.md"), "xml");
    assertThat(shown).hasSize(3);
    assertThat(shown).allSatisfy(block -> assertThat(files).contains(block));
  }

  @Test
  void theProgramsOfTheReadmeCompile() throws IOException {
    List<String> shown = blocks(HOME.resolveSibling("README.md"));
    assertThat(shown).hasSize(2);
    Path examples = HOME.resolve("src/examples/java/io/callboard/examples/readme");
    assertThat(examples.resolve("Account.java")).content().contains(shown.get(0));
    assertThat(examples.resolve("Report.java")).content().contains(shown.get(1));
  }

  @Test
  void theDefinitionsOfTheGuideToWorkflowsAreValid() throws IOException {
    List<String> shown = blocks(HOME.resolve("docs/guides/workflows.md"), "yaml");
    assertThat(shown).isNotEmpty();
    assertThat(shown)
        .allSatisfy(block -> assertThat(DefinitionReader.yaml(block).defects()).isEmpty());
  }

  @Test
  void theConfigurationsOfTheGuideToSourcesAreValid(@TempDir Path directory) throws IOException {
    List<String> shown = blocks(HOME.resolve("docs/guides/sources.md"), "yaml");
    assertThat(shown).hasSizeGreaterThan(2);
    for (String block : shown) {
      Path file = Files.writeString(directory.resolve("sources.yaml"), block);
      assertThat(SourcesOptions.read(file, List.of()).sources()).isNotEmpty();
    }
  }

  /** A line of a command that a page shows, up to a comment, a pipe or a redirection. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^(?:\\S*=\\S* )*(?:bootstrap/bin/|bin/)?callboard( .*)?$");

  /** One within a line, in the font of code; it may name the command without its parameters. */
  private static final Pattern INLINE = Pattern.compile("`callboard( [^`]*)?`");

  /** Word in capital letters, in the place of a value. */
  private static final Pattern PLACE = Pattern.compile("[A-Z]+");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  @Test
  void everyCommandOfTheDocumentationIsOneThatTheProgramTakes() throws IOException {
    List<String> refused = new ArrayList<>();
    int commands = 0;
    for (Path page : pages()) {
      if (page.endsWith("CHANGELOG.md")) {
        continue; // of earlier versions, too
      }
      String text = Files.readString(page).replace("\\\n", " ");
      for (Pattern pattern : List.of(COMMAND, INLINE)) {
        for (MatchResult found : pattern.matcher(text).results().toList()) {
          commands++;
          String arguments = found.group(1) == null ? "" : found.group(1);
          refusal(arguments)
              .filter(why -> pattern == COMMAND || !(why instanceof MissingParameterException))
              .ifPresent(
                  why -> refused.add(page.getFileName() + arguments + ": " + why.getMessage()));
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(commands).as("commands that were found").isGreaterThan(80);
  }

  private static Optional<ParameterException> refusal(String text) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : WORD.matcher(text).results().toList()) {
      String plain = word.group(3);
      if (plain != null && plain.matches("#.*|\\|.*|>.*|<.*|&.*|;.*")) {
        break;
      }
      words.add(plain != null ? plain : word.group(1) == null ? word.group(2) : word.group(1));
    }
    List<String> shown = words.stream().map(word -> word.replaceFirst("[\\\\]?\\|.*", "")).toList();
    Optional<ParameterException> why = Optional.empty();
    for (String value : List.of("", "1", "PT1S", "2026-11-21T05:30:00Z")) {
      String[] arguments =
          shown.stream()
              .map(each -> !value.isEmpty() && PLACE.matcher(each).matches() ? value : each)
              .toArray(String[]::new);
      try {
        ParseResult unused = Main.commands().parseArgs(arguments);
        return Optional.empty();
      } catch (ParameterException e) {
        why = why.or(() -> Optional.of(e));
      }
    }
    return why;
  }

  @Test
  void theLimitsOfEachAreaAreOrderedByTheirNames() throws IOException {
    String page = Files.readString(HOME.resolve("docs/reference/limits.md"));
    List<String> areas = List.of(page.split("\n## "));
    assertThat(areas).hasSizeGreaterThan(5);
    for (String area : areas.subList(1, areas.size())) {
      List<String> names =
          area.lines()
              .filter(line -> line.startsWith("| ") && !line.startsWith("| what |"))
              .map(line -> line.substring(2, line.indexOf(" | ")).toLowerCase(Locale.ROOT))
              .map(name -> name.replaceAll("[^a-z0-9 ]", ""))
              .toList();
      assertThat(names).as(area.lines().findFirst().orElse("")).isSorted();
    }
  }

  @Test
  void theCodeOfTheTestingPageCompilesAndRuns() throws IOException {
    assertCompiled("docs/testing.md", "src/test/java/io/callboard/examples");
  }

  /** The names are those that the message about an unknown option lists. */
  @Test
  void everyOptionOfAnActorIsInItsTable() throws IOException {
    String page = Files.readString(HOME.resolve("docs/actors.md"));
    String table = page.substring(page.indexOf("## Options"));
    assertThatThrownBy(() -> ActorOptions.of(new JsonObject().put("no-such-option", 1)))
        .satisfies(
            unknown -> {
              String message = unknown.getMessage();
              List<String> options =
                  List.of(message.substring(message.indexOf("there are ") + 10).split(", "));
              assertThat(options).hasSizeGreaterThan(15);
              assertThat(options)
                  .allSatisfy(option -> assertThat(table).contains("`" + option + "`"));
            });
  }

  @Test
  void everyLinkOfTheDocumentationLeadsToAPageAndASection() throws IOException {
    List<Path> pages = pages();
    assertThat(pages)
        .extracting(page -> page.getFileName().toString())
        .contains("README.md", "CHANGELOG.md");
    List<String> links = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        links.add(link.group());
        if (!leadsSomewhere(page, link.group(1), link.group(2))) {
          broken.add(page.getFileName() + ": " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links that were found").hasSizeGreaterThan(30);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(HOME.getParent());
        Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      Stream.concat(top, docs).filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static boolean leadsSomewhere(Path page, String path, @Nullable String section)
      throws IOException {
    Path target = path.isEmpty() ? page : page.resolveSibling(path);
    if (!Files.exists(target)) {
      return false;
    }
    return section == null || sections(target).contains(section);
  }

  /** The anchors that GitHub makes of the headings of a page. */
  private static Set<String> sections(Path page) throws IOException {
    Set<String> sections = new HashSet<>();
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("#")) {
        String title = line.replaceFirst("#+ *", "").toLowerCase(Locale.ROOT);
        sections.add(title.replaceAll("[^\\p{Alnum} _-]", "").replace(' ', '-'));
      }
    }
    return sections;
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
