package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypePause;
import io.callboard.jobs.model.TypeView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TypeRowsTest {
  private static final Path STATES =
      Path.of("../dashboard/src/main/resources/io/callboard/dashboard/webroot/js/states.js");
  private static final Pattern ALIVE = Pattern.compile("const ALIVE = new Set\\(\\[(.*?)]\\);");

  private static TypeView type(String name, int limit, boolean paused) {
    return new TypeView(
        new JobType(name, JobType.PROCESS, limit, paused, RetryPolicy.ONCE),
        paused ? new TypePause("anna", null, Instant.EPOCH) : null);
  }

  @Test
  void countsWhatTakesAPlaceAndWhatIsHeldBack() {
    Map<JobState, Long> etl =
        Map.of(
            JobState.ADMITTED, 1L,
            JobState.RUNNING, 2L,
            JobState.SUSPECT, 1L,
            JobState.QUEUED, 61L,
            JobState.RETRY_WAIT, 5L,
            JobState.DEAD, 7L);
    List<JsonNode> rows =
        TypeRows.of(
            List.of(type("etl", 4, false), type("ocr", 2, true)),
            new JobCounts(Map.of(), Map.of("etl", etl), 0));
    JsonNode first = rows.get(0);
    assertThat(first.path("name").asText()).isEqualTo("etl");
    assertThat(first.path("limit").asInt()).isEqualTo(4);
    assertThat(first.path("running").asInt()).isEqualTo(4);
    assertThat(first.path("queued").asInt()).isEqualTo(61);
    assertThat(first.has("pause")).isFalse();
    assertThat(first.at("/byState/DEAD").asInt()).isEqualTo(7);
    JsonNode second = rows.get(1);
    assertThat(second.path("paused").asBoolean()).isTrue();
    assertThat(second.path("pause").toString())
        .isEqualTo("{\"by\":\"anna\",\"at\":\"1970-01-01T00:00:00Z\"}");
    assertThat(second.path("running").asInt()).isZero();
    assertThat(second.path("byState")).isEmpty();
  }

  /** What a type's gate counts is what the page calls a run that may be alive. */
  @Test
  void thePageKnowsTheSameStatesOfRunsThatTakeAPlace() throws Exception {
    Set<String> taking = new TreeSet<>();
    for (JobState state : JobState.values()) {
      JobCounts one = new JobCounts(Map.of(), Map.of("etl", Map.of(state, 1L)), 0);
      if (TypeRows.of(List.of(type("etl", 4, false)), one).get(0).path("running").asInt() == 1) {
        taking.add(state.name());
      }
    }
    Matcher alive = ALIVE.matcher(Files.readString(STATES));
    assertThat(alive.find()).as("const ALIVE in " + STATES).isTrue();
    assertThat(alive.group(1).replace("'", "").split(", "))
        .containsExactlyInAnyOrderElementsOf(taking);
  }
}
