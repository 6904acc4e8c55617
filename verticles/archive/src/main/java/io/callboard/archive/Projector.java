package io.callboard.archive;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Retries;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor that keeps one projection up to date on this node. Other nodes may run one, too: the second
 * finds the events applied.
 */
final class Projector extends Actor<Projector.Command> {
  private static final Logger log = LoggerFactory.getLogger(Projector.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

  private static final Duration TOLD_EVERY = Duration.ofSeconds(30);
  private static final long MUCH = 10_000;

  private final Database database;
  private final Projection projection;
  private Retries retries = BACKOFF.begin();
  private @Nullable RandomGenerator random;
  private long lastSeen = -1;

  /** Message of the projector to itself. */
  sealed interface Command {
    /** Applies events, if there are any. */
    record Step() implements Command {}

    /** Result of a step: the number of events that were applied. */
    record Applied(int events) implements Command {}

    /** Asks for the progress. */
    record Look() implements Command {}

    /** Result of a look at the progress. */
    record Looked(long position, long lag) implements Command {}

    /** Failure of a step: no event was applied. */
    record Failed(String why) implements Command {}
  }

  Projector(Database database, Projection projection) {
    this.database = database;
    this.projection = projection;
  }

  @Override
  protected Future<?> started() {
    random = random();
    startTimer("step", Duration.ZERO, new Command.Step());
    startPeriodicTimer("look", TOLD_EVERY, new Command.Look());
    return Future.succeededFuture();
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Step.class, step -> step())
        .message(Command.Applied.class, this::applied)
        .message(Command.Failed.class, this::failed)
        .message(Command.Look.class, look -> look())
        .message(Command.Looked.class, this::looked);
  }

  private void look() {
    pipeToSelf(
        database.transaction(connection -> ProjectionTable.status(connection, projection.name())),
        end ->
            end.succeeded()
                ? new Command.Looked(end.result().position(), end.result().lag())
                : new Command.Looked(-1, 0)); // a failure is reported by the steps
  }

  /** Logs a warning if the projection stands still or falls far behind. */
  private void looked(Command.Looked status) {
    boolean stands = status.position() == lastSeen;
    if (status.lag() > 0 && (stands || status.lag() >= MUCH)) {
      log.warn("projection {} is {} events behind its feed", projection.name(), status.lag());
    }
    lastSeen = status.position();
  }

  private void step() {
    pipeToSelf(
        database.transaction(connection -> ProjectionTable.step(connection, projection)),
        end -> end.succeeded() ? new Command.Applied(end.result()) : new Command.Failed(why(end)));
  }

  private String why(AsyncResult<Integer> end) {
    log.debug("projection {} failed", projection.name(), end.cause());
    return String.valueOf(end.cause());
  }

  private void applied(Command.Applied applied) {
    if (retries.retries() > 0) {
      log.info("projection {} applies events again", projection.name());
      retries = retries.reset();
    }
    boolean more = applied.events() >= ProjectionTable.AT_ONCE;
    startTimer("step", more ? Duration.ZERO : LOOK_EVERY, new Command.Step());
  }

  private void failed(Command.Failed failed) {
    retries = retries.next(Objects.requireNonNull(random));
    log.error(
        "projection {} failed and is tried again in {} ms: {}",
        projection.name(),
        retries.delay().toMillis(),
        failed.why());
    startTimer("step", retries.delay(), new Command.Step());
  }
}
