package io.callboard.pollers.internal.jdbc;

import io.callboard.pollers.internal.blocking.BlockingThreads;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Outbox table as a source, with threads of its own that block on the database. */
final class JdbcSource implements Source {
  private final JdbcSettings settings;
  private final Time time;
  private final OutboxQueries outbox;
  private final BlockingThreads threads;

  /**
   * Creates a source.
   *
   * @param client name of this client in the world, without dots
   */
  JdbcSource(Vertx vertx, String name, String client, JdbcSettings settings, Time time) {
    this.settings = settings;
    this.time = time;
    this.outbox = new OutboxQueries(settings, client);
    this.threads =
        new BlockingThreads(
            vertx,
            "source-" + name + "-" + client,
            settings.connections(),
            cause -> settings + ": " + Causes.rootMessage(cause));
  }

  /** Work on the table that returns nothing. */
  @FunctionalInterface
  private interface Work {
    void run() throws SQLException;
  }

  private Future<Void> run(Work work) {
    return threads.run(
        () -> {
          work.run();
          return null;
        });
  }

  @Override
  public Future<Void> open() {
    return run(outbox::open);
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    return threads.poll(time, () -> outbox.take(most));
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    List<String> copy = List.copyOf(receipts);
    return threads.run(() -> outbox.extend(copy));
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    List<String> copy = List.copyOf(receipts);
    return run(() -> outbox.complete(copy));
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    return run(() -> outbox.fail(receipt, delay, cause));
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    return run(() -> outbox.dead(receipt, cause));
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    List<String> copy = List.copyOf(receipts);
    return run(() -> outbox.release(copy));
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    return run(() -> outbox.emit(target, message));
  }

  @Override
  public Future<OptionalLong> lag() {
    return threads.run(() -> OptionalLong.of(outbox.waiting()));
  }

  @Override
  public Optional<String> trouble() {
    return outbox.trouble().map(what -> settings + ": " + what);
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(settings.lease());
  }

  @Override
  public Future<Void> close() {
    return threads.close(
        () -> {
          outbox.close();
          return null;
        });
  }
}
