package io.callboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Table {@code conf/tests/flakes.tsv}: tests that passed only when they were repeated. */
class FlakesTest {
  private static final Path ROOT = Path.of("..");

  /** A test that was repeated twice within so many turns decides over no change any more. */
  private static final int TURNS = 20;

  private record Row(int turn, String type, String method) {
    boolean isSameTest(Row other) {
      return type.equals(other.type) && method.equals(other.method);
    }
  }

  private static List<Row> rows(List<String> lines) {
    List<Row> rows = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("#")) {
        String[] cells = line.split("\t");
        assertThat(cells).as("turn, class, method, what was wrong: \"%s\"", line).hasSize(4);
        rows.add(new Row(Integer.parseInt(cells[0]), cells[1], cells[2]));
      }
    }
    return rows;
  }

  /** Returns the tests of a table that are to run at night only. */
  private static List<Row> tooFlaky(List<Row> rows) {
    return rows.stream()
        .filter(
            row ->
                rows.stream()
                    .anyMatch(
                        other ->
                            other != row
                                && other.isSameTest(row)
                                && row.turn() >= other.turn()
                                && row.turn() - other.turn() < TURNS))
        .toList();
  }

  private static Path source(String type) throws IOException {
    Path file = Path.of("src/test/java").resolve(type.replace('.', '/') + ".java");
    return LongTestsTest.modules().stream()
        .map(module -> module.resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no class " + type));
  }

  private static boolean isNightly(Row row) throws IOException {
    String text = Files.readString(source(row.type()));
    String nightly = "@Tag\\(\"nightly\"\\)";
    return Pattern.compile("^" + nightly, Pattern.MULTILINE).matcher(text).find()
        || Pattern.compile(nightly + "((?!void)[\\s\\S])*void " + row.method() + "\\(")
            .matcher(text)
            .find();
  }

  @Test
  void testsThatWereRepeatedTwiceAreTaggedNightly() throws IOException {
    for (Row each : tooFlaky(rows(Files.readAllLines(ROOT.resolve("conf/tests/flakes.tsv"))))) {
      assertThat(isNightly(each))
          .as(
              "%s.%s passed only when it was repeated, twice: tag it nightly, and mend it",
              each.type(), each.method())
          .isTrue();
    }
  }

  @Test
  void aTestIsTooFlakyIfItWasRepeatedTwiceInTwentyTurns() {
    List<Row> rows =
        rows(List.of("# rows", "1\tA\tm\tlate", "20\tA\tm\tlate", "40\tA\tm\tlate", "2\tB\tm\tx"));
    assertThat(tooFlaky(rows)).containsExactly(rows.get(1));
    rows = rows(List.of("3\tA\tm\tlate", "3\tA\tm\tlate", "3\tA\tother\tlate"));
    assertThat(tooFlaky(rows)).containsExactly(rows.get(0), rows.get(1));
  }

  @Test
  void aTagOfTheMethodIsNoTagOfOthers() throws IOException {
    String crashes = "io.callboard.zookeeper.faults.CrashPointsTest";
    assertThat(isNightly(new Row(1, crashes, "theTableSaysWhatIsTrueAfterEveryCrash"))).isTrue();
    assertThat(isNightly(new Row(1, crashes, "other"))).isFalse();
  }
}
