package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.cell.NodeVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A release fits together: one version everywhere, a BOM of all that is published. */
class ReleaseTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** An artifact of ours with its version, as poms and pages write it. */
  private static final Pattern COORDINATES =
      Pattern.compile("<artifactId>callboard[^<]*</artifactId>\\s*<version>([^<]+)</version>");

  private static final Pattern SHORT =
      Pattern.compile("io\\.callboard:callboard[\\w-]*:(\\d[^\\s`]*)");

  private final Pom parent = Pom.of(ROOT.resolve("pom.xml"));
  private final Pom bom = Pom.of(ROOT.resolve("bom/pom.xml"));

  private List<Pom> modules() {
    return parent.texts("/project/modules/module").stream()
        .filter(module -> !module.equals("bom"))
        .map(module -> Pom.of(ROOT.resolve(module).resolve("pom.xml")))
        .toList();
  }

  @Test
  void theBomListsExactlyThePublishedModules() {
    List<String> published =
        modules().stream()
            .filter(pom -> !pom.text("/project/properties/maven.deploy.skip").equals("true"))
            .map(pom -> pom.text("/project/artifactId"))
            .toList();
    assertThat(published).as("published modules").hasSizeGreaterThan(5);
    String listed = "/project/dependencyManagement/dependencies/dependency";
    assertThat(bom.texts(listed + "[groupId='io.callboard']/artifactId"))
        .containsExactlyInAnyOrderElementsOf(published);
    assertThat(bom.texts(listed + "/version")).containsOnly("${project.version}");
  }

  @Test
  void allPomsAndTheNodeHaveTheVersion() {
    String version = version();
    assertThat(version).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    assertThat(bom.text("/project/version")).isEqualTo(version);
    assertThat(modules())
        .allSatisfy(
            pom ->
                assertThat(pom.text("/project/parent/version")).as(pom.name()).isEqualTo(version));
    assertThat(NodeVersion.version()).isEqualTo(version);
  }

  @Test
  void pagesNameTheVersion() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path directory : List.of(ROOT, ROOT.resolve("bootstrap/docs"))) {
      try (Stream<Path> files = Files.list(directory)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    assertThat(pages).hasSizeGreaterThan(5);
    for (Path page : pages) {
      String text = Files.readString(page);
      assertThat(Stream.of(COORDINATES, SHORT).flatMap(form -> form.matcher(text).results()))
          .extracting(MatchResult.class::cast)
          .extracting(found -> found.group(1))
          .as("versions in " + page.getFileName())
          .allMatch(found -> found.equals(version()) || found.equals("${callboard.version}"));
    }
  }

  @Test
  void theChangelogHasASectionForEachReleaseAndOneForWhatComes() throws IOException {
    List<String> sections =
        Files.readAllLines(ROOT.resolve("CHANGELOG.md")).stream()
            .filter(line -> line.startsWith("## "))
            .toList();
    assertThat(sections.get(0)).isEqualTo("## [Unreleased]");
    assertThat(sections.subList(1, sections.size()))
        .allMatch(line -> line.matches("## \\[\\d+\\.\\d+\\.\\d+] - \\d{4}-\\d\\d-\\d\\d"));
    String released = version().replace("-SNAPSHOT", "");
    assertThat(sections)
        .filteredOn(line -> line.startsWith("## [%s] ".formatted(released)))
        .as("a snapshot comes before its release, whose section is still %s", sections.get(0))
        .hasSize(version().equals(released) ? 1 : 0);
  }

  @Test
  void theSecurityPolicyNamesAReleasedVersion() throws IOException {
    String[] parts = version().split("[.-]");
    boolean named =
        Files.readString(ROOT.resolve("SECURITY.md"))
            .contains("| %s.%s.x | yes |".formatted(parts[0], parts[1]));
    assertThat(named || version().endsWith("-SNAPSHOT")).as("version " + version()).isTrue();
  }

  /** The BOM has no parent, so that it says again how a release is signed. */
  @Test
  void theBomIsSignedAsTheParentIs() {
    String plugin = "/project/profiles/profile[id='release']/build/plugins/plugin";
    assertThat(bom.texts(plugin + "/artifactId"))
        .isEqualTo(parent.texts(plugin + "/artifactId"))
        .containsExactly("maven-gpg-plugin");
    assertThat(bom.text(plugin + "/version"))
        .isEqualTo(parent.text("/project/properties/gpg.plugin.version"));
  }

  private String version() {
    return parent.text("/project/version");
  }
}
