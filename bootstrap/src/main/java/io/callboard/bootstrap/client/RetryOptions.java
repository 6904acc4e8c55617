package io.callboard.bootstrap.client;

import io.callboard.bootstrap.config.IsoDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of commands that set a retry policy. */
final class RetryOptions {
  @Option(
      names = "--retry-attempts",
      paramLabel = "N",
      description = "How often a job that fails is tried in all, 1 to 1000.")
  @Nullable Integer attempts;

  @Option(
      names = "--retry-initial",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Pause after the first attempt, such as PT5S; it doubles with each.")
  @Nullable Duration initial;

  @Option(
      names = "--retry-max",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Longest pause between attempts, such as PT1H.")
  @Nullable Duration max;

  /** Returns the policy as a request has it; empty if none is given. */
  Optional<Map<String, Object>> body(CommandLine command) {
    if (attempts == null) {
      if (initial != null || max != null) {
        throw new ParameterException(
            command, "--retry-initial and --retry-max need --retry-attempts: give it, too");
      }
      return Optional.empty();
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("attempts", attempts);
    if (initial != null) {
      body.put("initial", initial);
    }
    if (max != null) {
      body.put("max", max);
    }
    return Optional.of(body);
  }
}
