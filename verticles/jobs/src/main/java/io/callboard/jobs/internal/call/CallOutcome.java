package io.callboard.jobs.internal.call;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.HandlerOptions.FailureRule;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.model.FileContent;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a call of a handler that was not asked to end, from what its code returned or threw.
 * The runner and the test kit both decide by it.
 *
 * @param result result as it is kept; null for none
 * @param refusal why its result is not kept, a sentence; null if it is, or there is none
 * @param failure why it failed; null if it succeeded
 * @param retry whether another attempt may end otherwise
 * @param after pause before that attempt; empty for that of the retry policy
 */
public record CallOutcome(
    @Nullable FileContent result,
    @Nullable String refusal,
    @Nullable Throwable failure,
    boolean retry,
    Optional<Duration> after) {
  private static final String TOO_LARGE =
      "its result is not kept: it has more than %,d bytes as JSON".formatted(RunFiles.MOST_BYTES);

  /** Maximum number of futures around a value, or of their exceptions around a failure. */
  private static final int MOST_WRAPPERS = 50;

  /**
   * Returns the value that code has returned as a future: itself if it is one, otherwise a
   * completed one. That of a future of a future is the inner one's, of up to 50. A {@code
   * java.util.concurrent.Future} that calls nobody back is refused.
   */
  public static Future<?> future(@Nullable Object returned) {
    return future(returned, 0);
  }

  private static Future<?> future(@Nullable Object returned, int depth) {
    if (depth > MOST_WRAPPERS) { // it may hold itself
      return Future.failedFuture(
          new PermanentJobException(
              "it returned a future within more than %d others".formatted(MOST_WRAPPERS)));
    } else if (returned instanceof Future<?> future) {
      return future.compose(value -> future(value, depth + 1));
    } else if (returned instanceof CompletionStage<?> stage) {
      Promise<Object> promise = Promise.promise();
      stage.whenComplete(
          (value, failure) -> {
            if (failure == null) {
              promise.complete(value);
            } else {
              promise.fail(failure);
            }
          });
      return promise.future().compose(value -> future(value, depth + 1));
    } else if (returned instanceof java.util.concurrent.Future<?> silent) {
      return Future.failedFuture(
          new PermanentJobException(
              "it returned a %s, which reports no end: return its value, an io.vertx.core.Future or a CompletionStage"
                  .formatted(silent.getClass().getName())));
    }
    return Future.succeededFuture(returned);
  }

  /**
   * Decides the outcome of a call. Never throws, whatever the value does while it is written.
   *
   * @param options those of its handler
   * @param value what it returned; null for nothing
   * @param thrown why it failed; null if it did not
   */
  public static CallOutcome of(
      HandlerOptions options, @Nullable Object value, @Nullable Throwable thrown) {
    if (thrown != null) {
      return failed(options, unwrapped(thrown));
    } else if (value == null) {
      return new CallOutcome(null, null, null, false, Optional.empty());
    }
    Optional<byte[]> json;
    try {
      json = Json.data("the result of the job", value, RunFiles.MOST_BYTES);
    } catch (CodecException e) {
      return failed(options, new PermanentJobException(Causes.message(e)));
    } catch (Throwable e) { // an Error of a getter, too: else the run would never end
      return failed(
          options,
          new PermanentJobException(
              "the result of the job cannot be written as JSON: " + Causes.text(e), e));
    }
    return new CallOutcome(
        json.map(FileContent::of).orElse(null),
        json.isPresent() ? null : TOO_LARGE,
        null,
        false,
        Optional.empty());
  }

  private static CallOutcome failed(HandlerOptions options, Throwable failure) {
    Optional<FailureRule> rule =
        options.rules().stream().filter(its -> its.of().isInstance(failure)).findFirst();
    boolean retry =
        rule.map(FailureRule::retry).orElse(!(failure instanceof PermanentJobException));
    return new CallOutcome(null, null, failure, retry, rule.flatMap(FailureRule::after));
  }

  private static Throwable unwrapped(Throwable thrown) {
    Throwable inner = thrown;
    for (int depth = 0; depth < MOST_WRAPPERS; depth++) {
      boolean wraps = inner instanceof CompletionException || inner instanceof ExecutionException;
      Throwable cause = wraps ? inner.getCause() : null;
      if (cause == null) {
        break;
      }
      inner = cause;
    }
    return inner;
  }

  /** Returns whether the run succeeded. */
  public boolean succeeded() {
    return failure == null;
  }

  /** Returns the error of its run, as people see it; empty if it succeeded. */
  public Optional<String> error() {
    return Optional.ofNullable(failure)
        .map(its -> its instanceof PermanentJobException ? Causes.message(its) : Causes.text(its));
  }
}
