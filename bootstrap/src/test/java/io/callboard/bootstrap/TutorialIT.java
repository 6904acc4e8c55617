package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.TutorialPage.Commands;
import io.callboard.bootstrap.TutorialPage.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/tutorial.md}, followed literally: each file is written, each command is run in one
 * shell, and its output is compared. Instead of having installed Callboard, Maven finds it in a
 * repository of this build.
 */
@Tag("long")
@Tag("real")
class TutorialIT {
  private static final Pattern ANSWER =
      Pattern.compile("answer of (/shows/\\w+): Booked\\[total=(\\d+)]");
  private static final Pattern BOOKED = Pattern.compile("Show: (/shows/\\w+): (\\d+) booked");
  private static final Pattern ORDER = Pattern.compile("Agency: (order) (\\d+):");

  @BeforeAll
  static void programs() {
    for (String program : List.of("bash", "curl")) {
      Assumptions.assumeTrue(
          Stream.of(System.getenv("PATH").split(":"))
              .anyMatch(directory -> Files.isExecutable(Path.of(directory, program))),
          "there is no " + program);
    }
  }

  @Test
  void theStepsOfTheTutorialDoWhatItSays() throws Exception {
    Path directory = LaunchedNode.directory("tutorial");
    Path project = directory.resolve("tickets");
    Path tools = directory.resolve("tools");
    TutorialShell.tool(
        tools,
        "mvn",
        "exec %s -B -o -Dmaven.repo.local=%s \"$@\""
            .formatted(
                Path.of(System.getProperty("maven.home"), "bin", "mvn"), ReactorRepository.make()));
    try (TutorialShell shell = new TutorialShell(directory, tools)) {
      for (TutorialPage.Part part : TutorialPage.read()) {
        if (part instanceof SourceFile file) {
          Path path = project.resolve(file.path());
          Files.createDirectories(path.getParent());
          Files.writeString(path, file.content());
        } else if (part instanceof Commands commands) {
          shell.run(commands);
        }
      }
    }
    assertNothingWasForgottenByTheKill(project);
    assertNoNumberIsThereTwice(project);
  }

  /** An answered booking is there; at most the one whose answer was lost is there, too. */
  private static void assertNothingWasForgottenByTheKill(Path project) throws IOException {
    Map<String, Integer> last = new TreeMap<>();
    found(ANSWER, project.resolve("a.log"))
        .forEach(answer -> last.put(answer.group(1), Integer.parseInt(answer.group(2))));
    Map<String, Integer> next = new TreeMap<>();
    found(ANSWER, project.resolve("a2.log"))
        .forEach(answer -> next.putIfAbsent(answer.group(1), Integer.parseInt(answer.group(2))));
    assertThat(last).hasSizeGreaterThan(3);
    last.forEach(
        (show, total) -> assertThat(next.get(show)).as(show).isBetween(total + 1, total + 2));
  }

  /** Two nodes have run the shows, and two have held the role, each after the other. */
  private static void assertNoNumberIsThereTwice(Path project) throws IOException {
    Map<String, List<Integer>> before = numbers(BOOKED, project.resolve("b.log"));
    Map<String, List<Integer>> after = numbers(BOOKED, project.resolve("a2.log"));
    assertThat(after).as("shows that the node runs which is left").hasSize(12);
    assertThat(before).isNotEmpty();
    before.forEach(
        (show, numbers) ->
            assertThat(after.get(show)).as(show).doesNotContainAnyElementsOf(numbers));

    List<Integer> holder = numbers(ORDER, project.resolve("agency-b.log")).get("order");
    List<Integer> standby = numbers(ORDER, project.resolve("agency-c.log")).get("order");
    int last = holder.get(holder.size() - 1);
    assertThat(standby.get(0))
        .as("one may be committed, and not logged")
        .isBetween(last + 1, last + 2);
  }

  /** Numbers of each name, in the order of the log; each is higher than the one before. */
  private static Map<String, List<Integer>> numbers(Pattern line, Path log) throws IOException {
    Map<String, List<Integer>> numbers = new TreeMap<>();
    found(line, log)
        .forEach(
            found ->
                numbers
                    .computeIfAbsent(found.group(1), name -> new ArrayList<>())
                    .add(Integer.parseInt(found.group(2))));
    assertThat(numbers.values())
        .allSatisfy(each -> assertThat(each).isSorted().doesNotHaveDuplicates());
    return numbers;
  }

  private static List<MatchResult> found(Pattern line, Path log) throws IOException {
    return line.matcher(Files.readString(log)).results().toList();
  }
}
