package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The reference says what the program does: its pages are generated, and the page of metrics names
 * each of them. {@code -Dcallboard.docs=write} writes the generated pages.
 */
class ReferenceDocsTest {
  private static final Path HOME = Path.of(System.getProperty("user.dir"));
  private static final Path PAGES = HOME.resolve("docs/reference");
  private static final Pattern METRIC = Pattern.compile("\"(callboard_[a-z_]+[a-z])\"");
  private static final Pattern NAMED = Pattern.compile("`(callboard)?(_[a-z_]+)`");

  @Test
  void generatedPagesAreThoseOfTheProgram() throws IOException {
    boolean write = "write".equals(System.getProperty("callboard.docs"));
    for (Map.Entry<String, String> page : ReferencePages.all().entrySet()) {
      Path file = PAGES.resolve(page.getKey());
      if (write) {
        Files.writeString(file, page.getValue());
      }
      assertThat(file)
          .as("%s (-Dcallboard.docs=write writes it)", page.getKey())
          .content()
          .isEqualTo(page.getValue());
    }
  }

  @Test
  void everyMetricHasItsLine() throws IOException {
    String page = Files.readString(PAGES.resolve("metrics.md"));
    Set<String> suffixes =
        NAMED.matcher(page).results().map(name -> name.group(2)).collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>(metrics());
    assertThat(missing).as("metrics in the source").hasSizeGreaterThan(50);
    missing.removeIf(metric -> suffixes.stream().anyMatch(metric::endsWith));
    assertThat(missing).as("metrics without a line in metrics.md").isEmpty();
  }

  private static Set<String> metrics() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(HOME.resolveSibling("verticles"))) {
      for (Path file : files.filter(ReferenceDocsTest::hasMetrics).toList()) {
        METRIC.matcher(Files.readString(file)).results().forEach(m -> names.add(m.group(1)));
      }
    }
    return names;
  }

  private static boolean hasMetrics(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains("/src/main/java/")
        && (path.endsWith("Series.java") || path.contains("/internal/metrics/"));
  }
}
