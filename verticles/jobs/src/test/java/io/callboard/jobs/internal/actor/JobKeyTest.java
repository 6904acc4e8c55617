package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import io.callboard.jobs.model.JobSpec;
import io.callboard.testkit.actor.TestedActor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final Instant NEXT_DAY = NOW.plus(JobKey.KEPT);

  private final TestedActor<JobKey.Claim> key = TestedActor.of(JobKey::new).start();

  private @Nullable String claim(
      String job, @Nullable String instead, @Nullable String request, @Nullable Instant at) {
    return key.tell(new JobKey.Claim(job, instead, request, null, at))
        .answer(JobKey.Holder.class)
        .job();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "an idempotency key has a request")
  void aKeyIsHeldUntilItIsTakenOver(@Nullable String request) {
    assertThat(claim("a", null, request, NOW)).isEqualTo("a");
    assertThat(claim("b", null, request, NEXT_DAY)).isEqualTo("a");
    assertThat(claim("b", "x", "another", NEXT_DAY)).isEqualTo("a");
    assertThat(claim("b", "a", "another", NEXT_DAY)).isEqualTo("b");
    key.tell(JobKey.Claim.release("a", null));
    assertThat(claim("c", null, request, NEXT_DAY))
        .as("only its holder releases it")
        .isEqualTo("b");
    key.tell(JobKey.Claim.release("b", null));
    assertThat(claim("c", null, request, NEXT_DAY)).isEqualTo("c");
  }

  @Test
  void aJobThatTookTheKeyAgainKeepsIt() {
    assertThat(claim("a", null, null, NOW)).isEqualTo("a");
    assertThat(claim("a", "a", null, NEXT_DAY)).isEqualTo("a");
    key.tell(JobKey.Claim.release("a", NOW));
    assertThat(claim("b", null, null, NEXT_DAY)).isEqualTo("a");
    key.tell(JobKey.Claim.release("a", NEXT_DAY));
    assertThat(claim("b", null, null, NEXT_DAY)).isEqualTo("b");
  }

  private static String ofHandler(String args) {
    return JobSpec.handler("report", Json.parse("it", args.getBytes(StandardCharsets.UTF_8)))
        .fingerprint();
  }

  @Test
  void equalSpecificationsHaveOneFingerprint() {
    assertThat(spec(Map.of("a", "1", "b", "2", "c", "3"), "true").fingerprint())
        .isEqualTo(spec(Map.of("c", "3", "b", "2", "a", "1"), "true").fingerprint())
        .isNotEqualTo(spec(Map.of("c", "3", "b", "2", "a", "0"), "true").fingerprint())
        .isNotEqualTo(spec(Map.of("a", "1", "b", "2", "c", "3"), "false").fingerprint());
    assertThat(ofHandler("{\"a\":[{\"b\":1,\"c\":2}],\"d\":3}"))
        .isEqualTo(ofHandler("{\"d\":3,\"a\":[{\"c\":2,\"b\":1}]}"))
        .isNotEqualTo(ofHandler("{\"d\":3,\"a\":[{\"c\":1,\"b\":2}]}"));
  }

  private static JobSpec spec(Map<String, String> env, String command) {
    JobSpec plain = JobSpec.process("process", List.of(command));
    return plain.withEnv(env).withLabels(env);
  }
}
