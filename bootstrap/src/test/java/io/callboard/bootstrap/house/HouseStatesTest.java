package io.callboard.bootstrap.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of runs come from their table; others compare them. */
class HouseStatesTest {
  private static final Path TABLE =
      Path.of(
          "verticles/jobs/src/main/java/io/callboard/jobs/internal/transition/RunTransition.java");

  private static final Path RUN =
      Path.of("verticles/jobs/src/main/java/io/callboard/jobs/model/JobRun.java");

  private static final List<Path> SOURCES = Sources.ofTheProduct();

  private static final Pattern COMPARED =
      Pattern.compile(
          "[=!]=\\s*RunState\\.[A-Z_]+\\b"
              + "|\\.equals\\(\\s*RunState\\.[A-Z_]+\\.name\\(\\)\\s*\\)");

  private static final Pattern NAMED =
      Pattern.compile("\\bRunState\\s*\\.\\s*[A-Z_]+\\b|import static [\\w.]+\\.RunState\\.");

  private static final Pattern TAKEN = Pattern.compile("\\bRunState\\s*(\\.|::)\\s*valueOf\\b");

  private static final Pattern MADE = Pattern.compile("\\bnew\\s+JobRun\\s*\\(");

  private static List<String> assigned(String source) {
    String rest = COMPARED.matcher(source).replaceAll("compared");
    return NAMED.matcher(rest).results().map(MatchResult::group).toList();
  }

  @Test
  void onlyTheTableNamesTheNextStateOfARun() {
    assertThat(SOURCES).contains(TABLE);
    assertThat(assigned(text(TABLE))).as("states in the table").hasSizeGreaterThan(5);
    assertThat(SOURCES)
        .filteredOn(file -> !file.equals(TABLE))
        .as("JobMachine takes them from RunTransition, by RunMachine")
        .allSatisfy(file -> assertThat(assigned(text(file))).as(file.toString()).isEmpty());
  }

  /** Its state is a name there, which anything could be. */
  @Test
  void onlyARunMakesItsNextOne() {
    assertThat(text(RUN)).containsPattern(MADE);
    assertThat(SOURCES)
        .filteredOn(file -> !file.equals(RUN))
        .noneMatch(file -> MADE.matcher(text(file)).find());
  }

  /** A newer node may have stored a state that this version does not know: RunMachine says so. */
  @Test
  void noStoredNameIsTakenForAStateOfThisVersion() {
    assertThat(TAKEN.matcher("RunState.valueOf(run.state())").find()).isTrue();
    assertThat(SOURCES).noneMatch(file -> TAKEN.matcher(text(file)).find());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job.ended(RunState.LOST, null)",
        "state = RunState\n.LOST;",
        "RunState.RUNNING.name()",
        "over ? RunState.LOST : state",
        "import static io.callboard.jobs.model.RunState.LOST;"
      })
  void anAssignmentIsFound(String source) {
    assertThat(assigned(source)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (outcome == RunState.LOST) {",
        "run.state().equals(RunState.FAILED.name())",
        "RunState.valueOf(run.state())"
      })
  void aComparisonIsNone(String source) {
    assertThat(assigned(source)).isEmpty();
  }

  private static String text(Path file) {
    try {
      return Files.readString(Sources.absolute(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
