package io.callboard.dashboard.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.JsonBody;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobRequestTest {
  private static JobSpec parse(String json) {
    return JobRequest.parse(JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void fillsInTheDefaults() {
    assertThat(parse("{\"command\":[\"ls\"]}"))
        .isEqualTo(JobSpec.process("process", List.of("ls")));
  }

  @Test
  void takesEveryField() {
    JobSpec spec =
        parse(
            """
            {"type":"etl","command":["a","b"],"env":{"K":"v"},"priority":9,"runAt":"2026-11-21T07:30:00+02:00",
             "uniqueKey":"k","labels":{"l":"m"},"retry":{"attempts":12,"max":"PT2H"},
             "timeouts":{"run":"PT1M","progress":"PT9S"},"onLost":"fail","nice":7}\
            """);
    assertThat(spec.type()).isEqualTo("etl");
    assertThat(spec.command()).containsExactly("a", "b");
    assertThat(spec.env()).isEqualTo(Map.of("K", "v"));
    assertThat(spec.priority()).isEqualTo(9);
    assertThat(spec.runAt()).isEqualTo(Instant.parse("2026-11-21T05:30:00Z"));
    assertThat(spec.uniqueKey()).isEqualTo("k");
    assertThat(spec.labels()).isEqualTo(Map.of("l", "m"));
    assertThat(spec.retry())
        .isEqualTo(new RetryPolicy(12, RetryPolicy.ONCE.initial(), Duration.ofHours(2)));
    assertThat(spec.timeouts())
        .isEqualTo(
            new JobSpec.JobTimeouts(null, Duration.ofMinutes(1), null, Duration.ofSeconds(9)));
    assertThat(spec.nice()).isEqualTo(7);
    assertThat(spec.onLost()).isEqualTo("fail");
  }

  @Test
  void takesArgumentsOfAHandlerInsteadOfACommand() {
    JobSpec spec = parse("{\"type\":\"report\",\"args\":{\"year\":2026},\"priority\":7}");
    assertThat(spec.command()).isEmpty();
    assertThat(spec.args()).hasToString("{\"year\":2026}");
    assertThat(spec.priority()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /command",
        "{'args':{},'command':['a']} | /command",
        "{'args':{},'env':{'A':'x'}} | /env",
        "{'args':{},'nice':3} | /nice",
      })
  void aJobIsACommandOrArguments(String json, String pointer) {
    assertThatThrownBy(() -> parse(json.replace('\'', '"')))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused ->
                assertThat(refused.problem().errors())
                    .extracting(Fault::pointer)
                    .containsExactly(pointer));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'command':[' ']} | /command/0 | must name a program",
        "{'command':['a'],'retry':{'attempts':2,'initial':'PT2H','max':'PT1H'}} | /retry/initial |"
            + " must be at most /retry/max, but PT2H exceeds PT1H",
        "{'command':['a'],'timeouts':{'run':'PT0S'}} | /timeouts/run | must be more than zero and"
            + " at most ten years",
        "{'command':['a'],'timeouts':{'queue':'P9999D'}} | /timeouts/queue | must be more than zero"
            + " and at most ten years",
      })
  void faultsBeyondTheSchemaAreReported(String json, String pointer, String detail) {
    assertThatThrownBy(() -> parse(json.replace('\'', '"')))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem().errors()).containsExactly(new Fault(pointer, detail)));
  }

  @Test
  void refusesTooManyBytes() {
    String half = "ä".repeat(CommandLimits.MOST_BYTES / 4 + 1);
    assertThatThrownBy(() -> parse("{\"command\":[\"%s\",\"%s\"]}".formatted(half, half)))
        .hasMessageContaining("command: has 65540 bytes, at most 65536 are allowed");
    assertThatThrownBy(
            () ->
                parse(
                    "{\"command\":[\"a\"],\"env\":{\"A\":\"%s\",\"B\":\"%s\"}}"
                        .formatted(half, half)))
        .hasMessageContaining("env: has 65542 bytes");
  }
}
