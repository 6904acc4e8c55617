package io.callboard.pollers.internal.actor;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceKind;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a poller, in one connection after the other. Each call ends in time. Confined to
 * the poller's context.
 */
final class PolledSource {
  private static final Logger log = LoggerFactory.getLogger(PolledSource.class);

  private final BackgroundTasks tasks;
  private final SourceParts parts;
  private final SourceKind kind;
  private @Nullable Source current;
  private @Nullable Long lag;

  PolledSource(BackgroundTasks tasks, SourceParts parts) {
    this.tasks = tasks;
    this.parts = parts;
    this.kind = parts.kind();
  }

  private String name() {
    return parts.config().name();
  }

  /** Makes a source and opens it; completes with its lease. */
  Future<Optional<Duration>> open() {
    Source made;
    try {
      made =
          kind.create(
              new SourceContext(
                  tasks.context().owner(),
                  name(),
                  parts.config().settings(),
                  parts.client().memory(name())));
    } catch (RuntimeException | LinkageError e) {
      return Future.failedFuture(e);
    }
    current = made;
    lag = null;
    return call(Source::open).map(v -> made.lease());
  }

  /** Calls the source; fails if there is none, if the call throws, or if it does not end. */
  <T> Future<T> call(Function<Source, Future<T>> call) {
    Source its = current;
    if (its == null) {
      return Future.failedFuture(new SourceException("source %s is not open".formatted(name())));
    }
    Future<T> called;
    try {
      called = call.apply(its);
    } catch (RuntimeException | LinkageError e) {
      called = Future.failedFuture(e);
    }
    Promise<T> ended = tasks.promise();
    called.timeout(kind.patience().toMillis(), TimeUnit.MILLISECONDS).onComplete(ended);
    return ended.future();
  }

  /** Closes the source, if there is one; never fails. */
  Future<Void> close() {
    if (current == null) {
      return Future.succeededFuture();
    }
    Future<Void> closed = call(Source::close);
    current = null;
    lag = null;
    return closed.otherwise(
        cause -> {
          log.warn("source {} could not be closed: {}", name(), cause.toString());
          return null;
        });
  }

  /** Asks the source how many messages wait; fails if the source is open and its answer fails. */
  Future<Void> measureLag() {
    Source its = current;
    if (its == null) {
      return Future.succeededFuture();
    }
    return call(Source::lag)
        .transform(
            asked -> {
              if (current != its) {
                return Future.succeededFuture(); // it was closed meanwhile
              }
              OptionalLong found = asked.succeeded() ? asked.result() : OptionalLong.empty();
              lag = found.isPresent() ? found.getAsLong() : null;
              return asked.succeeded()
                  ? Future.succeededFuture()
                  : Future.failedFuture(asked.cause());
            });
  }

  /**
   * Returns what does not work though calls succeed; empty if all works, or the source is not open.
   */
  Optional<String> trouble() {
    Source its = current;
    return its == null ? Optional.empty() : its.trouble();
  }

  /** Returns the last known number of waiting messages; null if it is not known. */
  @Nullable Long lag() {
    return lag;
  }
}
