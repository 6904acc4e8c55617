package io.callboard.jobs;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.Fields;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobLabels;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Check of the specification of a job, whoever submits it. */
final class SpecCheck {
  private static final int MOST_ATTEMPTS = 1_000;
  private static final int MOST_NICE = 19;
  private static final int MOST_REQUIRED = 20;
  private static final Set<String> ON_LOST = Set.of("rerun", "hold", "fail");

  private SpecCheck() {}

  /** Returns the first thing that is wrong with a specification; null if nothing is. */
  static @Nullable JobException fault(JobSpec spec, KeyOwner owner) {
    int bytes = Json.uncheckedBytes(spec).length;
    if (bytes > JobSpec.MOST_BYTES) {
      return fault(
          "",
          "the specification has %,d bytes as JSON; the limit is %,d: keep large data elsewhere and give a reference"
              .formatted(bytes, JobSpec.MOST_BYTES));
    } else if (spec.priority() < 0 || spec.priority() > JobSpec.MOST_PRIORITY) {
      return fault(
          "/priority",
          "the priority is 0 to %d, not %,d".formatted(JobSpec.MOST_PRIORITY, spec.priority()));
    } else if (!ON_LOST.contains(spec.onLost())) {
      return fault("/onLost", "it is rerun, hold or fail, not \"%.100s\"".formatted(spec.onLost()));
    } else if (spec.nice() != null && (spec.nice() < 0 || spec.nice() > MOST_NICE)) {
      return fault("/nice", "the niceness is 0 to 19, not " + spec.nice());
    }
    String key = spec.uniqueKey();
    if (key != null && owner.isBadLength(key)) {
      return fault(
          "/uniqueKey",
          key.isBlank()
              ? "the key is blank: leave it out, or give one"
              : "a key has 1 to 200 characters, this has %,d".formatted(key.length()));
    }
    JobException fault = retry(spec.retry());
    fault = fault == null ? timeouts(spec.timeouts()) : fault;
    if (fault == null) {
      fault = labels("labels", spec.labels(), JobLabels.MOST);
    }
    if (fault == null && spec.requires() != null) {
      fault = labels("requires", spec.requires(), MOST_REQUIRED);
    }
    return fault == null ? args(spec) : fault;
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

  private static @Nullable JobException timeouts(JobTimeouts given) {
    JobException fault = timeout("queue", given.queue());
    fault = fault == null ? timeout("run", given.run()) : fault;
    fault = fault == null ? timeout("total", given.total()) : fault;
    return fault == null ? timeout("progress", given.progress()) : fault;
  }

  private static @Nullable JobException timeout(String name, @Nullable Duration time) {
    return time == null ? null : time("/timeouts/" + name, "a timeout", time);
  }

  private static @Nullable JobException time(String pointer, String what, Duration time) {
    return time.compareTo(Duration.ZERO) > 0 && time.compareTo(JobSpec.LONGEST) <= 0
        ? null
        : fault(
            pointer, "%s is more than zero and at most ten years, not %s".formatted(what, time));
  }

  private static @Nullable JobException labels(String name, Map<String, String> given, int most) {
    if (given.size() > most) {
      return fault("/" + name, "there are at most %d, not %,d".formatted(most, given.size()));
    }
    for (Map.Entry<String, String> label : given.entrySet()) {
      Optional<String> ofKey = JobLabels.faultOfKey(label.getKey());
      Optional<String> ofValue = JobLabels.faultOfValue(label.getValue());
      if (ofKey.isPresent()) {
        return fault("/" + name, ofKey.get());
      } else if (ofValue.isPresent()) {
        return fault("/%s/%s".formatted(name, Fields.escaped(label.getKey())), ofValue.get());
      }
    }
    return null;
  }

  /** The actor of the job, its messages and the archive hold them below others of its fields. */
  private static @Nullable JobException args(JobSpec spec) {
    try {
      byte[] unused =
          spec.args() == null ? new byte[0] : Json.data("the arguments of the job", spec.args());
      return null;
    } catch (CodecException e) {
      return fault("/args" + e.pointer(), String.valueOf(e.getMessage()));
    }
  }

  private static JobException fault(String pointer, String message) {
    return new JobException(Code.INVALID, pointer, message);
  }
}
