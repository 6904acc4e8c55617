package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.TutorialPage.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files that the tutorial shows are those that are compiled; {@link TutorialIT} runs it. */
class TutorialTest {
  private static final Map<String, Path> SOURCES =
      Map.of(
          "src/main/java/tickets/", Path.of("src/examples/java/io/callboard/examples/tutorial"),
          "src/test/java/tickets/", Path.of("src/test/java/io/callboard/examples/tutorial"));
  private static final Pattern VERSION = Pattern.compile("<([\\w.-]*version)>([0-9][^<]*)<");

  /** The files of the page whose names end so, with their content. */
  private static Map<String, String> shown(String end) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (TutorialPage.Part part : TutorialPage.read()) {
      if (part instanceof SourceFile file && file.path().endsWith(end)) {
        assertThat(files.put(file.path(), lines(file.content()))).as(file.path()).isNull();
      }
    }
    return files;
  }

  /** Its lines without those that the name of the package decides: the order of imports. */
  private static String lines(String source) {
    List<String> imports =
        source.lines().filter(line -> line.startsWith("import ")).sorted().toList();
    List<String> others =
        source.lines().filter(line -> !line.startsWith("import ") && !line.isEmpty()).toList();
    return String.join("\n", imports) + "\n" + String.join("\n", others);
  }

  @Test
  void theJavaOfEachStepIsCompiled() throws IOException {
    Map<String, String> compiled = new TreeMap<>();
    for (Map.Entry<String, Path> root : SOURCES.entrySet()) {
      try (Stream<Path> files = Files.walk(root.getValue())) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          if (!file.endsWith("package-info.java")) {
            String path = root.getValue().relativize(file).toString().replace('\\', '/');
            String text =
                Files.readString(file).replace("io.callboard.examples.tutorial.", "tickets.");
            compiled.put(root.getKey() + path, lines(text));
          }
        }
      }
    }
    Map<String, String> shown = shown(".java");
    assertThat(shown.keySet()).isEqualTo(compiled.keySet());
    assertThat(shown).allSatisfy((path, text) -> assertThat(text).isEqualTo(compiled.get(path)));
  }

  /** {@code callboard new} has the versions that are built and tested here. */
  @Test
  void thePomHasTheVersionsOfThisBuild() throws IOException {
    Properties ours = new Properties();
    try (var in = NewProject.class.getResourceAsStream("project/versions.properties")) {
      ours.load(in);
    }
    List<String> known = new ArrayList<>(List.of("4.0.0", "1.0-SNAPSHOT"));
    ours.values().forEach(version -> known.add(version.toString()));
    Matcher plugin =
        Pattern.compile("<dependency.plugin.version>(.*)</")
            .matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(plugin.find()).isTrue();
    known.add(plugin.group(1));
    List<String> versions =
        VERSION
            .matcher(shown("pom.xml").get("pom.xml"))
            .results()
            .map(version -> version.group(2))
            .toList();
    assertThat(versions).hasSizeGreaterThan(6).isSubsetOf(known);
  }
}
