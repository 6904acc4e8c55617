package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code callboard demo workflow} as a user runs it. */
@Tag("long")
@Tag("real")
class DocumentsIT {
  private static final Duration LIMIT = Duration.ofSeconds(300);

  private static LaunchedNode demo(Path data, String... more) throws IOException {
    String[] arguments = new String[4 + more.length];
    System.arraycopy(
        new String[] {"demo", "workflow", "--data", data.toString()}, 0, arguments, 0, 4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return LaunchedNode.launch(Map.of(), arguments);
  }

  @Test
  void theDocumentsThatComeWithItAreIndexedAndReported() throws Exception {
    Path data = LaunchedNode.directory("documents");
    try (LaunchedNode demo = demo(data, "--exit")) {
      assertThat(demo.exitCode(LIMIT)).as(demo.output() + demo.errors()).isZero();
      assertThat(demo.output().lines())
          .anyMatch(line -> line.matches("Dashboard: http://127\\.0\\.0\\.1:\\d+/?"))
          .anyMatch(line -> line.startsWith("boole.txt: succeeded"))
          .anyMatch(line -> line.matches("scan\\.txt: succeeded; read failed: .*no text.*"))
          .anyMatch(
              line -> line.matches("turing\\.html: succeeded_with_warnings; links failed: .*"))
          .anyMatch(line -> line.contains("; announce in attempt 2"))
          .last()
          .asString()
          .startsWith("The report is written: ");
    }
    String report = Files.readString(data.resolve("documents/report.md"));
    assertThat(report)
        .contains("14 documents are indexed, 1 could not be read.")
        .contains("- de: 3\n- en: 5\n- es: 2\n- fr: 2\n- it: 2\n")
        .contains("| ada-lovelace.html | Ada Lovelace | en |", "- scan.txt");
    assertThat(data.resolve("documents/scratch")).isEmptyDirectory();
  }

  @Test
  void theDemoGoesOnAfterAKillWithDocumentsOfTheUser() throws Exception {
    Path data = LaunchedNode.directory("documents");
    Path documents = Files.createDirectories(data.resolve("mine"));
    for (int i = 0; i < 100; i++) {
      Files.writeString(
          documents.resolve("note-%02d.txt".formatted(i)),
          "A note about Ada Lovelace, which is long enough for its language to be seen. " + i);
    }
    String mine = documents.toString();
    try (LaunchedNode first = demo(data, "--documents", mine)) {
      Eventually.assertThat(LIMIT, () -> assertThat(output(first)).contains("note-"));
      first.kill();
    }
    try (LaunchedNode second = demo(data, "--documents", mine, "--exit")) {
      assertThat(second.exitCode(LIMIT)).as(second.output() + second.errors()).isZero();
    }
    assertThat(Files.readString(data.resolve("documents/report.md")))
        .contains("100 documents are indexed, 0 could not be read.", "- Ada Lovelace: 100\n");
  }

  private static String output(LaunchedNode node) {
    try {
      return node.output();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
