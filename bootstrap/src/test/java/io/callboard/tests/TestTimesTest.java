package io.callboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.tests.TestTimes.TimedClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTimesTest {
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
    TestTimes times = TestTimes.in(root, "reports");
    assertThat(times.classes())
        .containsExactlyInAnyOrder(
            new TimedClass("verticles/a", "io.A", 2, 1, 1002.5),
            new TimedClass("b", "io.B", 1, 0, 3));
    assertThat(TestTimes.in(root, "shard-reports").classes())
        .containsExactly(new TimedClass("b", "io.C", 1, 0, 4));
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
    assertThat(TestTimes.in(root, "reports").classes())
        .containsExactly(new TimedClass("verticles/a", "io.A", 1, 0, 1));
  }

  @Test
  void aClassIsTooSlowBeyondItsShareOfAllTime() {
    List<TimedClass> classes = new ArrayList<>();
    for (int i = 0; i < 97; i++) {
      classes.add(new TimedClass("m", "C" + i, 1, 0, 1));
    }
    TimedClass slow = new TimedClass("m", "Slow", 1, 0, 3);
    classes.add(slow);
    assertThat(new TestTimes(classes).tooSlow()).isEmpty();
    classes.remove(0);
    assertThat(new TestTimes(classes).tooSlow()).containsExactly(slow);
    classes.add(new TimedClass("m", "OfTheJarIT", 1, 0, 4));
    assertThat(new TestTimes(classes).tooSlow()).isEmpty();
  }
}
