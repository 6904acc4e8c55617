package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.NodeCounts;
import io.callboard.store.Limits;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The node of one test, with the report that is attached to a failure of the test. */
final class TestNode implements AutoCloseable {
  private static final int LINES = 20;

  private final Vertx vertx;
  private final Callboard callboard;
  private final Probes probes;
  private final @Nullable ManualTime time;
  private final @Nullable LogCapture log;

  private TestNode(
      Vertx vertx, Callboard callboard, @Nullable ManualTime time, @Nullable LogCapture log) {
    Stillness stillness = Stillness.of(callboard);
    this.vertx = vertx;
    this.callboard = callboard;
    this.time = time;
    this.log = log;
    if (time == null) {
      this.probes = Probes.of(callboard).stillness(stillness);
    } else {
      time.stillness(stillness);
      this.probes = Probes.of(callboard).time(time);
    }
  }

  static TestNode open(boolean manual, Consumer<CallboardOptions> options) {
    ManualTime time = manual ? new ManualTime() : null;
    LogCapture log = LogCapture.isPossible() ? LogCapture.of("io.callboard", Level.WARN) : null;
    CallboardOptions given = new CallboardOptions().name("test");
    VertxOptions loops = new VertxOptions();
    if (time != null) {
      Clock clock = time.clock();
      given
          .time(time)
          .store(
              () ->
                  new MemoryStore(
                      new MemoryCell(
                          MemoryCell.DEFAULT_PARTITIONS, Limits.MAILBOX_MESSAGES, clock)));
      loops.setEventLoopPoolSize(1);
    }
    options.accept(given);
    Vertx vertx = Vertx.vertx(loops);
    try {
      return new TestNode(vertx, await(Callboard.create(vertx, given)), time, log);
    } catch (RuntimeException | Error e) {
      if (log != null) {
        log.close();
      }
      await(vertx.close());
      throw e;
    }
  }

  Callboard callboard() {
    return callboard;
  }

  Probes probes() {
    return probes;
  }

  /** Returns the time of the node; empty if it uses the system's. */
  Optional<ManualTime> time() {
    return Optional.ofNullable(time);
  }

  /** Returns the report for a failed test; empty if there is nothing to report. */
  Optional<Throwable> report() {
    List<String> lines = new ArrayList<>();
    NodeCounts counts = callboard.admin().counts();
    if (counts.failed() + counts.dead() + counts.parked() > 0) {
      lines.add(
          "%d turns failed, %d dead letters, %d parked messages"
              .formatted(counts.failed(), counts.dead(), counts.parked()));
    }
    for (ActorStatus actor : await(callboard.admin().running())) {
      if (actor.failures() > 0) {
        lines.add(
            "%s (%s) is %s, failed %d times, last with %s"
                .formatted(
                    actor.path(),
                    actor.type(),
                    actor.state(),
                    actor.failures(),
                    actor.lastFailure()));
      }
    }
    said(lines);
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(new Report("in the node of this test: " + String.join("\n  ", lines)));
  }

  private void said(List<String> lines) {
    if (log == null) {
      return;
    }
    List<LogCapture.Line> said = log.lines();
    said.stream()
        .limit(LINES)
        .forEach(line -> lines.add("%s %s".formatted(line.level(), line.text())));
    if (said.size() > LINES) {
      lines.add("and %d more lines of the log".formatted(said.size() - LINES));
    }
  }

  /** Report as an exception without a stack trace, which would say nothing. */
  private static final class Report extends RuntimeException {
    private static final long serialVersionUID = 1;

    Report(String text) {
      super(text, null, false, false);
    }
  }

  @Override
  public void close() {
    try {
      await(callboard.close());
    } finally {
      await(vertx.close());
      if (log != null) {
        log.close();
      }
    }
  }
}
