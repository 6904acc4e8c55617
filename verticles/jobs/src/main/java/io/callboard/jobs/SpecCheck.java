package io.callboard.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.internal.text.PlainText;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobLabels;
import io.callboard.jobs.model.JobNames;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the specification of a job, of users as of other submitters. */
final class SpecCheck {
  private static final int MOST_ATTEMPTS = 1_000;
  private static final int MOST_NICE = 19;
  private static final int MOST_REQUIRED = 20;
  private static final Set<String> ON_LOST = Set.of("rerun", "hold", "fail");

  private SpecCheck() {}

  /** Returns the first thing that is wrong with a specification; null if nothing is. */
  static @Nullable JobException fault(JobSpec spec, KeyOwner owner) {
    return first(
        Stream.of(
            () -> JobNames.fault("type", spec.type()).map(why -> fault("/type", why)),
            () -> ofRunner(spec),
            () -> ofCommand(spec, owner),
            () -> ofNumbers(spec),
            () -> ofTime(spec.runAt()),
            () -> ofKey(spec.uniqueKey(), owner),
            () -> Optional.ofNullable(retry(spec.retry())),
            () -> timeouts(spec.timeouts()),
            () -> labels("labels", spec.labels(), JobLabels.MOST),
            () -> labels("requires", requires(spec), MOST_REQUIRED),
            () -> args(spec),
            () -> ofSize(spec)));
  }

  private static @Nullable JobException first(Stream<Supplier<Optional<JobException>>> checks) {
    return checks.flatMap(check -> check.get().stream()).findFirst().orElse(null);
  }

  /** Settings of processes are refused beside arguments, as they would have no effect. */
  private static Optional<JobException> ofRunner(JobSpec spec) {
    String field =
        !spec.command().isEmpty()
            ? "/command"
            : !spec.env().isEmpty() ? "/env" : spec.nice() != null ? "/nice" : "";
    return spec.ofHandler() && !field.isEmpty()
        ? Optional.of(fault(field, JobSpec.OF_PROCESSES))
        : Optional.empty();
  }

  private static Optional<JobException> ofCommand(JobSpec spec, KeyOwner owner) {
    boolean step = owner == KeyOwner.STEPS; // its definition is checked, and stored ones run
    List<FieldDefect> faults =
        new ArrayList<>(
            step
                ? CommandLimits.faultsOfTexts(spec.command(), spec.env())
                : CommandLimits.faults(spec.command(), spec.env()));
    if (owner == KeyOwner.USERS) { // the others have variables and limits of their own
      faults.addAll(CommandLimits.faultsOfUsers(spec.command(), spec.env()));
    }
    return faults.stream().findFirst().map(SpecCheck::fault);
  }

  private static Optional<JobException> ofNumbers(JobSpec spec) {
    Integer nice = spec.nice();
    if (spec.priority() < 0 || spec.priority() > JobSpec.MOST_PRIORITY) {
      return Optional.of(
          fault(
              "/priority",
              "the priority is 0 to %d, not %,d"
                  .formatted(JobSpec.MOST_PRIORITY, spec.priority())));
    } else if (!ON_LOST.contains(spec.onLost())) {
      return Optional.of(
          fault("/onLost", "it is rerun, hold or fail, not \"%.100s\"".formatted(spec.onLost())));
    }
    return nice != null && (nice < 0 || nice > MOST_NICE)
        ? Optional.of(fault("/nice", "the niceness is 0 to 19, not " + nice))
        : Optional.empty();
  }

  private static Optional<JobException> ofTime(@Nullable Instant runAt) {
    return runAt != null && (runAt.isBefore(JobSpec.EARLIEST) || runAt.isAfter(JobSpec.LATEST))
        ? Optional.of(
            fault(
                "/runAt",
                "it is a time from %s to %s, not %s"
                    .formatted(JobSpec.EARLIEST, JobSpec.LATEST, runAt)))
        : Optional.empty();
  }

  private static Optional<JobException> ofKey(@Nullable String key, KeyOwner owner) {
    if (key != null && owner.isBadLength(key)) {
      return Optional.of(
          fault(
              "/uniqueKey",
              key.isBlank()
                  ? "the key is blank: leave it out, or give one"
                  : "a key has 1 to 200 characters, this has %,d".formatted(key.length())));
    }
    return key == null
        ? Optional.empty()
        : PlainText.fault(key).map(why -> fault("/uniqueKey", "the key " + why));
  }

  private static Optional<JobException> ofSize(JobSpec spec) {
    int bytes = Json.uncheckedBytes(spec).length;
    return bytes > JobSpec.MOST_BYTES
        ? Optional.of(
            fault(
                "",
                "the specification has %,d bytes as JSON; the limit is %,d: keep large data elsewhere and give a reference"
                    .formatted(bytes, JobSpec.MOST_BYTES)))
        : Optional.empty();
  }

  /** Returns the first thing that is wrong with a retry policy; null if nothing is. */
  static @Nullable JobException retry(RetryPolicy policy) {
    int attempts = policy.attempts();
    JobException fault =
        attempts >= 1 && attempts <= MOST_ATTEMPTS
            ? null
            : fault("/retry/attempts", "there are 1 to 1000 attempts, not " + attempts);
    if (fault != null || attempts == 1) { // which has no pauses
      return fault;
    }
    fault = time("/retry/initial", "a pause", policy.initial());
    fault = fault == null ? time("/retry/max", "a pause", policy.max()) : fault;
    return fault == null && policy.initial().compareTo(policy.max()) > 0
        ? fault(
            "/retry/initial",
            "the first pause is at most the longest, but %s exceeds %s"
                .formatted(policy.initial(), policy.max()))
        : fault;
  }

  private static Optional<JobException> timeouts(JobTimeouts given) {
    return Optional.ofNullable(
        first(
            Stream.of(
                () -> timeout("queue", given.queue()),
                () -> timeout("run", given.run()),
                () -> timeout("total", given.total()),
                () -> timeout("progress", given.progress()))));
  }

  private static Optional<JobException> timeout(String name, @Nullable Duration time) {
    return time == null
        ? Optional.empty()
        : Optional.ofNullable(time("/timeouts/" + name, "a timeout", time));
  }

  private static @Nullable JobException time(String pointer, String what, Duration time) {
    return time.compareTo(Duration.ZERO) > 0 && time.compareTo(JobSpec.LONGEST) <= 0
        ? null
        : fault(
            pointer, "%s is more than zero and at most ten years, not %s".formatted(what, time));
  }

  private static Map<String, String> requires(JobSpec spec) {
    Map<String, String> requires = spec.requires();
    return requires == null ? Map.of() : requires;
  }

  private static Optional<JobException> labels(String name, Map<String, String> given, int most) {
    return JobLabels.fault(name, given, most).map(SpecCheck::fault);
  }

  /** The actor of the job, its messages and the archive hold them below others of its fields. */
  private static Optional<JobException> args(JobSpec spec) {
    JsonNode args = spec.args();
    if (args == null) {
      return Optional.empty();
    } else if (args.isNull() || args.isMissingNode()) {
      return Optional.of(fault("/args", "it is null: give the arguments, such as {}"));
    }
    try {
      byte[] unused = Json.data("the arguments of the job", args);
      return Optional.empty();
    } catch (CodecException e) {
      return Optional.of(fault("/args" + e.pointer(), String.valueOf(e.getMessage())));
    }
  }

  private static JobException fault(FieldDefect defect) {
    return fault(defect.pointer(), defect.problem());
  }

  private static JobException fault(String pointer, String message) {
    return new JobException(Code.INVALID, pointer, message);
  }
}
