package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts, times and settings of a specification that a program makes. */
class SpecCheckTest {
  private static final String UNPLAIN = "must not contain NUL or an unpaired surrogate";
  private static final String FORM =
      "use up to 63 letters, digits and - _ ., the first a letter or digit";
  private static final String HALF = "\ud83d";

  private static JobSpec of(String... command) {
    return JobSpec.process("process", List.of(command));
  }

  private static JobSpec handled() {
    return JobSpec.handler("report", Map.of("year", 2026));
  }

  static Stream<Arguments> refused() {
    JobSpec fits = of("true");
    Map<String, String> many =
        IntStream.rangeClosed(0, CommandLimits.MOST_VARIABLES)
            .boxed()
            .collect(Collectors.toMap(each -> "V" + each, each -> "x"));
    return Stream.of(
        arguments(JobSpec.process("", List.of("a")), "/type", "the type name is empty: " + FORM),
        arguments(
            JobSpec.process("a b", List.of("a")), "/type", "\"a b\" is not a type name: " + FORM),
        arguments(of(" "), "/command/0", "must name a program"),
        arguments(of("a", "b\0"), "/command/1", UNPLAIN),
        arguments(of("a", HALF + "b"), "/command/1", UNPLAIN),
        arguments(
            JobSpec.process("process", Collections.nCopies(1_001, "a")),
            "/command",
            "must have at most 1,000 texts, not 1,001"),
        arguments(
            of("a", "ä".repeat(40_000)),
            "/command",
            "has 80001 bytes, at most 65536 are allowed; pass the name of a file instead"),
        arguments(fits.withEnv(Map.of("A", HALF)), "/env/A", UNPLAIN),
        arguments(
            fits.withEnv(Map.of("A/B", "x")),
            "/env/A~1B",
            "must be a name of up to 200 letters, digits and _ that starts with no digit"),
        arguments(
            fits.withEnv(Map.of("CALLBOARD_JOB", "x")),
            "/env/CALLBOARD_JOB",
            "must not start with CALLBOARD_, as Callboard's own variables do"),
        arguments(fits.withEnv(many), "/env", "must have at most 500 variables, not 501"),
        arguments(
            fits.withEnv(Map.of("A", "x".repeat(65_536))),
            "/env",
            "has 65537 bytes, at most 65536 are allowed"),
        arguments(
            fits.withRunAt(Instant.MAX),
            "/runAt",
            "it is a time from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, not +1000000000-12-31T23:59:59.999999999Z"),
        arguments(
            fits.withRunAt(JobSpec.EARLIEST.minusNanos(1)),
            "/runAt",
            "it is a time from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, not -0001-12-31T23:59:59.999999999Z"),
        arguments(fits.withUniqueKey("a\0"), "/uniqueKey", "the key " + UNPLAIN),
        arguments(fits.withUniqueKey("a" + HALF), "/uniqueKey", "the key " + UNPLAIN),
        arguments(fits.withLabels(Map.of("a/b", HALF)), "/labels/a~1b", UNPLAIN),
        arguments(fits.requiring(Map.of("gpu", "\0")), "/requires/gpu", UNPLAIN),
        arguments(
            handled().withArgs(NullNode.getInstance()),
            "/args",
            "it is null: give the arguments, such as {}"),
        arguments(handled().withNice(3), "/nice", JobSpec.OF_PROCESSES),
        arguments(handled().withEnv(Map.of("A", "x")), "/env", JobSpec.OF_PROCESSES),
        arguments(of("a").withArgs(handled().args()), "/command", JobSpec.OF_PROCESSES));
  }

  @ParameterizedTest
  @MethodSource
  void refused(JobSpec spec, String pointer, String why) {
    JobException fault = SpecCheck.fault(spec, KeyOwner.USERS);
    assertThat(fault).isNotNull().hasMessage(why);
    assertThat(fault.code()).isEqualTo(JobException.Code.INVALID);
    assertThat(fault.pointer()).isEqualTo(pointer);
    assertThat(fault).hasToString(JobException.class.getName() + ": " + pointer + ": " + why);
  }

  @Test
  void aSpecificationThatFitsPasses() {
    for (JobSpec spec :
        List.of(
            of("true", "", "\ud83d\ude00").withEnv(Map.of("A_1", "é")).withNice(19),
            handled().withRunAt(JobSpec.LATEST).withUniqueKey("käse").requiring(Map.of("a", "")),
            of("true").withRunAt(JobSpec.EARLIEST))) {
      assertThat(SpecCheck.fault(spec, KeyOwner.USERS)).isNull();
    }
  }

  @Test
  void stepsAndMessagesHaveVariablesOfTheirOwnAndLongTexts() {
    JobSpec spec =
        of("a", "x".repeat(70_000)).withEnv(Map.of("CALLBOARD_STEP", "x")).withUniqueKey("k");
    assertThat(SpecCheck.fault(spec, KeyOwner.STEPS)).isNull();
    assertThat(SpecCheck.fault(spec, KeyOwner.MESSAGES)).isNull();
    assertThat(SpecCheck.fault(spec.withEnv(Map.of("A", "\0")), KeyOwner.STEPS))
        .hasMessage(UNPLAIN);
  }

  static Stream<Arguments> nullsAreRefusedWithARemedy() {
    JobSpec fits = of("true");
    Map<String, String> none = Collections.singletonMap("a/b", null);
    return Stream.of(
        nothing("command is null: give List.of() for none", () -> JobSpec.process("x", null)),
        nothing(
            "command/1 is null: give a text", () -> JobSpec.process("x", Arrays.asList("a", null))),
        nothing(
            "type is null: give the name of a job type, such as JobType.PROCESS",
            () -> JobSpec.process(null, List.of("a"))),
        nothing(
            "args is null: give a record, or Map.of() for none",
            () -> JobSpec.handler("report", null)),
        nothing("env is null: give Map.of() for none", () -> fits.withEnv(null)),
        nothing("env/a~1b is null: give a text, or leave it out", () -> fits.withEnv(none)),
        nothing("labels/a~1b is null: give a text, or leave it out", () -> fits.withLabels(none)),
        nothing("labels is null: give Map.of() for none", () -> fits.withLabels(null)),
        nothing(
            "a name in labels is null: give a text",
            () -> fits.withLabels(Collections.singletonMap(null, "x"))),
        nothing("requires/a~1b is null: give a text, or leave it out", () -> fits.requiring(none)),
        nothing("timeouts is null: give JobTimeouts.NONE for none", () -> fits.withTimeouts(null)),
        nothing("onLost is null: give rerun, hold or fail", () -> fits.withOnLost(null)),
        nothing(
            "max of the retry policy is null: give the longest pause",
            () -> fits.withRetry(new RetryPolicy(2, Duration.ofSeconds(1), null))));
  }

  private static Arguments nothing(String message, ThrowingCallable making) {
    return arguments(message, making);
  }

  @ParameterizedTest
  @MethodSource
  void nullsAreRefusedWithARemedy(String message, ThrowingCallable making) {
    assertThatThrownBy(making).isInstanceOf(NullPointerException.class).hasMessage(message);
  }
}
