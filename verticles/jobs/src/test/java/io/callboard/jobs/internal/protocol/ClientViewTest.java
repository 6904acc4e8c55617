package io.callboard.jobs.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What clients see of what a job was submitted with. */
class ClientViewTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final String[] TERMS = {"retry", "timeouts", "onLost", "nice", "requires"};

  private static JobData submitted(JobSpec spec) {
    return JobData.submitted("j", spec, JobState.QUEUED, NOW, null, null);
  }

  @Test
  void aJobAloneShowsWhatItWasSubmittedWithAndNothingOfItsEnvironment() {
    JobSpec spec =
        JobSpec.process("report", List.of("true"))
            .withEnv(Map.of("TOKEN", "hidden"))
            .withRetry(new RetryPolicy(3, Duration.ofSeconds(5), Duration.ofHours(1)))
            .withTimeouts(new JobTimeouts(null, Duration.ofMinutes(10), null, Duration.ofDays(2)))
            .withOnLost("hold")
            .withNice(10)
            .requiring(Map.of("gpu", "true"));
    JsonNode alone = Json.tree(submitted(spec).detail());
    assertThat(alone.path("retry").toString())
        .isEqualTo("{\"attempts\":3,\"initial\":\"PT5S\",\"max\":\"PT1H\"}");
    assertThat(alone.path("timeouts").toString())
        .isEqualTo("{\"run\":\"PT10M\",\"progress\":\"PT48H\"}");
    assertThat(alone.path("onLost").asText()).isEqualTo("hold");
    assertThat(alone.path("nice").asInt()).isEqualTo(10);
    assertThat(alone.at("/requires/gpu").asText()).isEqualTo("true");
    assertThat(alone.toString()).doesNotContain("hidden");
    JsonNode listed = Json.tree(submitted(spec).view());
    for (String term : TERMS) {
      assertThat(listed.has(term)).as(term).isFalse();
    }
  }

  @Test
  void termsThatAJobDoesNotHaveAreNotShown() {
    JsonNode alone = Json.tree(submitted(JobSpec.process("p", List.of("true"))).detail());
    assertThat(alone.path("onLost").asText()).isEqualTo("rerun");
    for (String term : List.of("retry", "timeouts", "nice", "requires")) {
      assertThat(alone.has(term)).as(term).isFalse();
    }
  }
}
