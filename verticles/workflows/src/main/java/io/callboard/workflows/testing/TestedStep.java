package io.callboard.workflows.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Json;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.internal.instance.OutputCheck;
import io.callboard.workflows.internal.protocol.StepRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Step for the test of its handler: what its next run sees. Immutable. Time does not pass: pauses
 * and timeouts are told, and the test says when a run is to end.
 */
public final class TestedStep {
  private static final String INSTANCE = "tested";

  private final String id;
  private ObjectNode input = JsonNodeFactory.instance.objectNode();
  private JsonNode with = JsonNodeFactory.instance.objectNode();
  private Map<String, BlobRef> large = Map.of();
  private GivenOutputs given = GivenOutputs.NONE;
  private int run = 1;
  private int attempt = 1;
  private String key;
  private StepRetry retry = StepRetry.ONCE;
  private Duration within =
      Duration.ofMillis(
          (long)
              (30_000
                  * Double.parseDouble(System.getProperty("callboard.testkit.timefactor", "1"))));
  private Consumer<TestedStepRun> onHeartbeat = run -> {};

  private TestedStep(String id) {
    this.id = id;
    this.key = INSTANCE + '/' + id;
  }

  /** Creates a step in its first run, of an instance without input. */
  public static TestedStep of(String id) {
    TestedStep step = new TestedStep(id);
    step.input.putNull("input");
    step.input.putObject("outputs");
    return step;
  }

  private TestedStep changed(Consumer<TestedStep> change) {
    TestedStep copy = new TestedStep(id);
    copy.input = input.deepCopy();
    copy.with = with;
    copy.large = large;
    copy.given = given;
    copy.run = run;
    copy.attempt = attempt;
    copy.key = key;
    copy.retry = retry;
    copy.within = within;
    copy.onHeartbeat = onHeartbeat;
    change.accept(copy);
    return copy;
  }

  /**
   * Returns the step with an input of its instance, as {@code input().at("/input")}.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be JSON
   */
  public TestedStep input(Object value) {
    JsonNode tree = tree("the input of the instance", value);
    return changed(step -> step.input.set("input", tree));
  }

  /**
   * Returns the step with the output of a step before it. One over 24 KiB is large: it is in the
   * input only if all large ones have 1 MiB at most together.
   *
   * @throws IllegalArgumentException if it is over 16 MiB as JSON, which no step could return
   * @throws io.callboard.codecs.CodecException if it cannot be JSON
   */
  public TestedStep output(String before, Object value) {
    byte[] json = Json.data("the output of step " + before, value);
    if (json.length > OutputCheck.MOST_LARGE) {
      throw new IllegalArgumentException(OutputCheck.tooLarge(before, json.length));
    }
    return changed(step -> step.put(before, json));
  }

  private void put(String before, byte[] json) {
    if (json.length <= OutputCheck.MOST_OUTPUT) {
      input.withObject("/outputs").set(before, Json.parse("the output of step " + before, json));
      return;
    }
    given = given.with(json);
    BlobRef blob = given.last();
    Map<String, BlobRef> all = new TreeMap<>(large);
    all.put(before, blob);
    large = Map.copyOf(all);
    input
        .withObject("/large")
        .putObject(before)
        .put("instance", INSTANCE)
        .put("bytes", blob.bytes());
  }

  /** Returns the step with the error of a step before it, which failed and may fail. */
  public TestedStep error(String before, String why) {
    return changed(step -> step.input.withObject("/errors").put(before, why));
  }

  /**
   * Returns the step with the merged outputs of the steps before it.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be JSON
   */
  public TestedStep merged(Object value) {
    JsonNode tree = tree("what was merged", value);
    return changed(step -> step.input.set("merged", tree));
  }

  /**
   * Returns the step with parameters.
   *
   * @throws IllegalArgumentException if they are no object as JSON
   * @throws io.callboard.codecs.CodecException if they cannot be JSON
   */
  public TestedStep with(Object parameters) {
    JsonNode tree = tree("the parameters of the step", parameters);
    if (!tree.isObject()) {
      throw new IllegalArgumentException(
          "the parameters of a step are an object, such as a map, not " + tree);
    }
    return changed(step -> step.with = tree);
  }

  private static JsonNode tree(String what, Object value) {
    return Json.parseData(what, Json.data(what, value));
  }

  /**
   * Returns the step in another attempt, with at least as many runs.
   *
   * @throws IllegalArgumentException if it is not one of those of its {@link #retry}
   */
  public TestedStep attempt(int number) {
    if (number < 1 || number > retry.attempts()) {
      throw new IllegalArgumentException(
          "the attempts of this step are 1 to %d, not %d: give it more by retry"
              .formatted(retry.attempts(), number));
    }
    return changed(
        step -> {
          step.attempt = number;
          step.run = Math.max(run, number);
        });
  }

  /**
   * Returns the step in another run.
   *
   * @throws IllegalArgumentException if the number is below that of the attempt
   */
  public TestedStep run(int number) {
    if (number < attempt) {
      throw new IllegalArgumentException(
          "attempt %d is run %d or a later one, not run %d".formatted(attempt, attempt, number));
    }
    return changed(step -> step.run = number);
  }

  /** Returns the step with another key for effects elsewhere. */
  public TestedStep key(String other) {
    return changed(step -> step.key = other);
  }

  /** Returns the step with retries, as in its definition; by default it has one attempt. */
  public TestedStep retry(StepRetry policy) {
    return changed(step -> step.retry = policy);
  }

  /**
   * Returns the step with another time that the test waits for its handler's future: 30 s by
   * default, times the system property {@code callboard.testkit.timefactor}.
   */
  public TestedStep within(Duration most) {
    return changed(step -> step.within = most);
  }

  /**
   * Returns the step with code that is called on the handler's thread after each heartbeat. There a
   * test ends the run at an exact point: {@code step.onHeartbeat(TestedStepRun::cancel)}.
   */
  public TestedStep onHeartbeat(Consumer<TestedStepRun> code) {
    return changed(step -> step.onHeartbeat = code);
  }

  /** Runs the handler until its future has completed; see {@link TestedStepRun#outcome}. */
  public TestedStepOutcome run(StepHandler handler) {
    return start(handler).outcome();
  }

  /**
   * Starts a run: calls the handler on this thread, and returns when that has. What the handler
   * waits for without blocking, its future, is the test's to complete or to end.
   */
  public TestedStepRun start(StepHandler handler) {
    TestedStepRun started = new TestedStepRun(request(), given, retry, within, onHeartbeat);
    started.begin(handler);
    return started;
  }

  private StepRequest request() {
    return new StepRequest(
        INSTANCE,
        INSTANCE,
        id,
        attempt,
        run,
        "handler:tested",
        5,
        1,
        null,
        Instant.EPOCH,
        INSTANCE,
        input,
        with,
        key,
        large,
        null,
        null,
        null);
  }

  /**
   * Returns the step in the run that follows: in its next attempt, unless the last run was lost.
   *
   * @param last outcome of the run of this step
   * @throws IllegalStateException if the step does not run again
   */
  public TestedStep after(TestedStepOutcome last) {
    if (!last.runsAgain()) {
      throw new IllegalStateException("the step does not run again after " + last);
    }
    boolean lost = last.end() == TestedStepOutcome.End.LOST;
    return changed(
        step -> {
          step.run = run + 1;
          step.attempt = lost ? attempt : attempt + 1;
        });
  }
}
