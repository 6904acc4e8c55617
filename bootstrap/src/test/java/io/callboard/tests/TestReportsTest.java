package io.callboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.tests.TestReports.Flake;
import io.callboard.tests.TestReports.TimedClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReportsTest {
  private static void report(Path file, String name, String seconds, String cases)
      throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        "<testsuite name=\"%s\" time=\"%s\" tests=\"9\">%s</testsuite>"
            .formatted(name, seconds, cases));
  }

  @Test
  void reportsOfAllModulesAndExecutionsAreRead(@TempDir Path root) throws IOException {
    Path a = root.resolve("verticles/a/target/surefire-reports/TEST-io.A.xml");
    report(a, "io.A", "1,002.5", "<testcase/><testcase><skipped/></testcase>");
    Path alone = root.resolve("b/target/failsafe-reports/alone/TEST-io.B.xml");
    report(alone, "io.B", "3", "<testcase/>");
    Path shard = root.resolve("b/target/failsafe-shard-reports/TEST-io.C.xml");
    report(shard, "io.C", "4", "<testcase/>");
    TestReports times = TestReports.in(root, "reports");
    assertThat(times.classes())
        .containsExactlyInAnyOrder(
            new TimedClass("verticles/a", "io.A", 2, 1, 1002.5, List.of()),
            new TimedClass("b", "io.B", 1, 0, 3, List.of()));
    assertThat(TestReports.in(root, "shard-reports").classes())
        .containsExactly(new TimedClass("b", "io.C", 1, 0, 4, List.of()));
    assertThat(times.table())
        .containsPattern("b +1 +1 +0 +3.0\n")
        .containsPattern("verticles/a +1 +2 +1 +1002.5\n")
        .containsPattern("all +2 +3 +1 +1005.5\n")
        .containsPattern("1002.5  io.A\n");
  }

  @Test
  void aClassThatRanWithThoseOfOtherModulesBelongsToItsOwn(@TempDir Path root) throws IOException {
    Path pool = root.resolve("verticles/tests/target/surefire-reports/TEST-io.A.xml");
    report(pool, "io.A", "1", "<testcase/>");
    Path own = Files.createDirectories(root.resolve("verticles/a/target/test-classes/io"));
    Files.createFile(own.resolve("A.class"));
    assertThat(TestReports.in(root, "reports").classes())
        .containsExactly(new TimedClass("verticles/a", "io.A", 1, 0, 1, List.of()));
  }

  @Test
  void aTestThatPassedWhenItWasRepeatedIsAFlake(@TempDir Path root) throws IOException {
    report(
        root.resolve("b/target/surefire-reports/TEST-io.B.xml"),
        "io.B",
        "3",
        """
        <testcase name="a(int)[1]"><flakyFailure message="too late&#10;at all" type="E"/></testcase>
        <testcase name="b"><flakyError type="io.E"/><flakyError type="io.F"/></testcase>
        <testcase name="c"/>""");
    TimedClass b = TestReports.in(root, "reports").classes().get(0);
    assertThat(b.flakes()).containsExactly(new Flake("a", "too late"), new Flake("b", "io.E"));
    Path source = root.resolve("b/src/test/java/io/B.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "package io;\n\nclass B {}\n");
    assertThat(TestReports.isReal(root, b)).isFalse();
    Files.writeString(source, "package io;\n\n@Tag(\"real\")\nclass B {}\n");
    assertThat(TestReports.isReal(root, b)).isTrue();
  }

  @Test
  void aClassIsTooSlowBeyondItsShareOfAllTime() {
    List<TimedClass> classes = new ArrayList<>();
    for (int i = 0; i < 97; i++) {
      classes.add(new TimedClass("m", "C" + i, 1, 0, 1, List.of()));
    }
    TimedClass slow = new TimedClass("m", "Slow", 1, 0, 3, List.of());
    classes.add(slow);
    assertThat(new TestReports(classes).tooSlow()).isEmpty();
    classes.remove(0);
    assertThat(new TestReports(classes).tooSlow()).containsExactly(slow);
    classes.add(new TimedClass("m", "OfTheJarIT", 1, 0, 4, List.of()));
    assertThat(new TestReports(classes).tooSlow()).isEmpty();
  }
}
