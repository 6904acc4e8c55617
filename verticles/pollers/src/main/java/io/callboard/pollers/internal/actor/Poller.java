package io.callboard.pollers.internal.actor;

import io.callboard.Callboard;
import io.callboard.codecs.internal.text.CutText;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.internal.poll.PollerEffect;
import io.callboard.pollers.internal.poll.PollerMachine;
import io.callboard.pollers.internal.poll.PollerReport;
import io.callboard.pollers.internal.poll.PollerRules;
import io.callboard.pollers.internal.protocol.SourceCommand;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.pollers.internal.target.MessageData;
import io.callboard.pollers.internal.target.MessageKey;
import io.callboard.pollers.internal.target.TargetRoom;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poller of a source, in one life of its actor: carries a {@link PollerMachine}, on a context of
 * its own, which is that of the source, too. Its methods may be called from any thread.
 */
final class Poller {
  private static final Logger log = LoggerFactory.getLogger(Poller.class);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration STOP = Duration.ofSeconds(5);
  private static final int ROOM_TICKS = 20;
  private static final int LAG_TICKS = 100;
  private static final int COUNT_TICKS = 300;
  private static final int LONGEST_CAUSE = 2_000;

  private final Callboard callboard;
  private final SourceParts parts;
  private final SourceConfig config;
  private final BackgroundTasks tasks;
  private final PolledSource source;
  private final PollerMachine machine;
  private final Instant begunAt;
  private final long begunNanos;
  private final SourceTotals before;
  private SourceState state;
  private SourceTotals counted = SourceTotals.NONE;
  private boolean isCounting;
  private long ticks;
  private @Nullable Promise<Void> stopping;
  private boolean closed;

  Poller(Callboard callboard, SourceParts parts, SourceState state) {
    this.callboard = callboard;
    this.parts = parts;
    this.config = parts.config();
    this.tasks = callboard.tasks("source " + config.name());
    this.begunAt = callboard.time().clock().instant();
    this.begunNanos = callboard.time().nanoTime();
    this.state = state;
    this.before = state.totals();
    this.source = new PolledSource(tasks, parts);
    this.machine =
        new PollerMachine(rules(config), state.mode(), state.by(), callboard.random(), begunAt);
  }

  private static PollerRules rules(SourceConfig config) {
    return new PollerRules(
        config.credit(),
        config.ack() == AckMode.ON_COMPLETE,
        config.policy().attempts(),
        Backoff.exponential(config.policy().initial(), config.policy().max()),
        !config.onSuccess().isEmpty());
  }

  /** The wall clock may jump, leases do not. */
  private Instant now() {
    return begunAt.plusNanos(callboard.time().nanoTime() - begunNanos);
  }

  /** Begins; takes no messages before it is known how many may be taken. */
  void start() {
    tasks.run(
        () -> {
          machine.room(0, "it is not known yet what may be started", now());
          askRoom();
          tick();
        });
    tasks.repeat(Repetition.every(TICK).spread(0), this::tick);
  }

  private void tick() {
    if (closed) {
      return;
    }
    ticks++;
    if (ticks % ROOM_TICKS == 0) {
      askRoom();
    }
    if (ticks % LAG_TICKS == 0) {
      source.measureLag().onFailure(cause -> on(() -> trouble(Causes.message(cause))));
      source.trouble().ifPresent(this::trouble);
    }
    if (ticks % COUNT_TICKS == 0) {
      count();
    }
    machine.tick(now());
    carryOut();
  }

  private void trouble(String cause) {
    machine.trouble(cause, now());
  }

  /** Runs {@code event} on the context, and then what follows from it. */
  private void on(Runnable event) {
    tasks.run(
        () -> {
          if (!closed) {
            event.run();
            carryOut();
          }
        });
  }

  private void askRoom() {
    parts
        .starter()
        .room()
        .onComplete(
            asked ->
                on(
                    () -> {
                      if (asked.succeeded()) {
                        TargetRoom room = asked.result();
                        machine.room(room.free(), room.why(), now());
                      } else {
                        machine.roomIsNotKnown(Causes.message(asked.cause()));
                        log.debug("what source {} may take is not known", name(), asked.cause());
                      }
                    }));
  }

  private String name() {
    return config.name();
  }

  private void carryOut() {
    machine.effects().forEach(this::carryOut);
    if (stopping != null && machine.isIdle()) {
      end();
    }
  }

  private void carryOut(PollerEffect effect) {
    if (effect instanceof PollerEffect.Open open) {
      source
          .open()
          .onComplete(
              opened ->
                  on(
                      () -> {
                        if (opened.succeeded()) {
                          machine.opened(open.life(), opened.result().orElse(null), now());
                          source
                              .measureLag()
                              .onFailure(cause -> on(() -> trouble(Causes.message(cause))));
                        } else {
                          machine.openFailed(
                              open.life(),
                              Causes.message(opened.cause()),
                              SourceException.after(opened.cause()),
                              now());
                        }
                      }));
    } else if (effect instanceof PollerEffect.Close close) {
      log.warn("source {} is closed and opened again: {}", name(), report().why());
      source.close().onComplete(done -> on(() -> machine.closed(close.life(), now())));
    } else if (effect instanceof PollerEffect.Poll poll) {
      source
          .call(its -> its.poll(poll.most()))
          .onSuccess(taken -> on(() -> machine.polled(poll.call(), taken, now())))
          .onFailure(cause -> failed(poll.call(), cause));
    } else if (effect instanceof PollerEffect.Submit submit) {
      parts
          .starter()
          .start(submit.message(), submit.attempt())
          .onSuccess(outcome -> on(() -> machine.submitted(submit.call(), outcome, now())));
    } else if (effect instanceof PollerEffect.Extend extend) {
      source
          .call(its -> its.extend(extend.receipts()))
          .onSuccess(lost -> on(() -> machine.extended(extend.call(), lost, now())))
          .onFailure(cause -> failed(extend.call(), cause));
    } else if (effect instanceof PollerEffect.Emit emit) {
      emit(emit);
    } else {
      acknowledge(effect);
    }
  }

  private void acknowledge(PollerEffect effect) {
    if (effect instanceof PollerEffect.Complete complete) {
      done(complete.call(), source.call(its -> its.complete(complete.receipts())));
    } else if (effect instanceof PollerEffect.Release release) {
      done(release.call(), source.call(its -> its.release(release.receipts())));
    } else if (effect instanceof PollerEffect.Fail fail) {
      done(
          fail.call(),
          source.call(its -> its.fail(fail.receipt(), fail.delay(), cut(fail.cause()))));
    } else if (effect instanceof PollerEffect.Dead dead) {
      log.warn("source {} sets a message aside: {}", name(), dead.cause());
      done(dead.call(), source.call(its -> its.dead(dead.receipt(), cut(dead.cause()))));
    }
  }

  private static String cut(String cause) {
    return cause.length() <= LONGEST_CAUSE ? cause : CutText.head(cause, LONGEST_CAUSE) + "…";
  }

  private void done(long call, Future<?> outcome) {
    outcome
        .onSuccess(done -> on(() -> machine.done(call, now())))
        .onFailure(cause -> failed(call, cause));
  }

  private void failed(long call, Throwable cause) {
    log.debug("a call of source {} failed", name(), cause);
    on(() -> machine.failed(call, Causes.message(cause), SourceException.after(cause), now()));
  }

  private void emit(PollerEffect.Emit emit) {
    MessageData.read(
            callboard.vertx(),
            emit.message(),
            () -> Emissions.after(config, emit.message(), emit.attempt(), emit.result()))
        .onSuccess(all -> send(emit, all))
        .onFailure(cause -> unsent(emit.call(), cause));
  }

  /** Sends what was not sent before, all of it though some fail. */
  private void send(PollerEffect.Emit emit, List<Emissions.Sending> all) {
    Map<Integer, Future<Void>> sendings = new TreeMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (!emit.sent().contains(i)) {
        sendings.put(i, sent(all.get(i)));
      }
    }
    Future.join(List.copyOf(sendings.values())).onComplete(done -> sent(emit.call(), sendings));
  }

  private void sent(long call, Map<Integer, Future<Void>> sendings) {
    Set<Integer> sent = new HashSet<>();
    List<Throwable> failures = new ArrayList<>();
    sendings.forEach(
        (number, sending) -> {
          if (sending.succeeded()) {
            sent.add(number);
          } else {
            failures.add(sending.cause());
          }
        });
    on(() -> machine.sent(call, sent));
    Optional<Throwable> forGood = failures.stream().filter(Poller::isForGood).findFirst();
    if (failures.isEmpty()) {
      on(() -> machine.done(call, now()));
    } else if (forGood.isPresent()) {
      unsent(call, forGood.get());
    } else {
      failed(call, failures.get(0));
    }
  }

  private static boolean isForGood(Throwable cause) {
    return cause instanceof EmissionRefusedException
        || (cause instanceof PollersException e && e.code() == PollersException.Code.INVALID);
  }

  private void unsent(long call, Throwable cause) {
    on(() -> machine.emitHopeless(call, Causes.message(cause), now()));
  }

  private Future<Void> sent(Emissions.Sending sending) {
    return sending.source() == null
        ? source.call(its -> its.emit(sending.target(), sending.message()))
        : parts.client().send(sending.source(), sending.target(), sending.message());
  }

  /** Sends a message through the source. */
  Future<Void> send(String target, EmittedMessage message) {
    return tasks.call(() -> source.call(its -> its.emit(target, message)));
  }

  /** An attempt of a message has ended. */
  void settled(MessageKey key, Outcome outcome) {
    on(() -> machine.settled(key.id(), key.attempt(), outcome, now()));
  }

  /** The durable state of the source has changed. */
  void changed(SourceState next) {
    on(
        () -> {
          state = next;
          machine.mode(next.mode(), next.by(), now());
        });
  }

  private PollerReport report() {
    PollerReport report = machine.report(now());
    return source.trouble().map(report::with).orElse(report);
  }

  /** Returns what operators see. */
  Future<SourceView> view() {
    return tasks.call(() -> Future.succeededFuture(seen()));
  }

  private SourceView seen() {
    PollerReport report = report();
    return new SourceView(
        name(),
        config.kind(),
        config.ack(),
        config.target().words(),
        report.status(),
        report.why(),
        callboard.node(),
        state.mode(),
        state.by(),
        state.at(),
        report.lag(source.lag()),
        config.credit(),
        report.inFlight(),
        before.plus(report.totals()),
        report.rates(),
        report.polledAt(),
        report.ackedAt(),
        report.error(),
        report.errorAt());
  }

  /** Tells the totals; a telling that fails may count twice. */
  private void count() {
    SourceTotals totals = report().totals();
    SourceTotals more = totals.minus(counted);
    if (isCounting || more.equals(SourceTotals.NONE)) {
      return;
    }
    isCounting = true;
    callboard
        .durableRef(SourcePaths.actor(name()), SourceCommand.class)
        .tell(new SourceCommand.Count(more))
        .onComplete(
            told ->
                tasks.run(
                    () -> {
                      isCounting = false;
                      if (told.succeeded()) {
                        counted = totals;
                      } else {
                        log.debug("the totals of source {} are not kept", name(), told.cause());
                      }
                    }));
  }

  /** Gives back messages that have not ended, finishes those that have, and closes the source. */
  Future<Void> stop() {
    return tasks.call(
        () -> {
          Promise<Void> stopped = Promise.promise();
          stopping = stopped;
          machine.stop(now());
          carryOut();
          Alarm unused = tasks.after(STOP, this::end);
          return stopped.future();
        });
  }

  private void end() {
    Promise<Void> stopped = stopping;
    if (closed || stopped == null) {
      return;
    }
    closed = true;
    if (!machine.isIdle()) {
      log.warn(
          "source {} is closed with {} messages that it delivers again",
          name(),
          report().inFlight());
    }
    count();
    source
        .close()
        .onComplete(
            done -> {
              tasks.close();
              stopped.complete();
            });
  }
}
