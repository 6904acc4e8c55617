package io.callboard.guard;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Kept;
import io.callboard.Time;
import io.callboard.codecs.ActorPath;
import io.callboard.metrics.GuardStatus;
import io.callboard.supervision.Retries;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the messages of a guard and does with them what its {@link Circuit} says. On the guard's
 * context, but for {@link #status}.
 */
final class Keeper<M> {
  private final ActorPath path;
  private final GuardOptions<M> options;
  private final Stage<M> stage;
  private final Guarded<M> guarded;
  private final Circuit circuit;
  private final Map<Long, Held<M>> messages = new TreeMap<>();
  private final Tally tally;
  private Retries retries;
  private Time.@Nullable Alarm alarm;
  private long alarmNs;
  private boolean runs;
  private boolean over;

  /** A message, and the attempt under way. */
  private static final class Held<M> {
    final Kept<M> kept;
    Kept.@Nullable Attempt attempt;

    Held(Kept<M> kept) {
      this.kept = kept;
    }
  }

  Keeper(ActorPath path, GuardOptions<M> options, Stage<M> stage) {
    this.path = path;
    this.options = options;
    this.stage = stage;
    this.retries = options.backoff().begin();
    this.tally = new Tally(path);
    this.guarded = new Guarded<>(stage, this::run);
    this.circuit = new Circuit(options.settings(), this::pause, this::begunNs, nowNs());
  }

  private long nowNs() {
    return stage.time().nanoTime();
  }

  /** The first failure after an acknowledgement begins anew. */
  private Duration pause(long failures) {
    retries = (failures == 1 ? retries.reset() : retries).next(stage.random());
    return retries.delay();
  }

  private long begunNs(long id) {
    Held<M> held = messages.get(id);
    return held == null || held.attempt == null
        ? Given.NOT_BEGUN
        : held.attempt.begunNanos().orElse(Given.NOT_BEGUN);
  }

  GuardStatus status() {
    return tally.status();
  }

  /** Completes when the guarded actor has started, or failed to. */
  Future<Void> start() {
    return guarded.start();
  }

  void offered(Kept<M> message) {
    messages.put(circuit.offered(), new Held<>(message));
    run();
  }

  /** Does all that is to be done now. */
  private void run() {
    if (runs || over) {
      return;
    }
    runs = true;
    try {
      for (Act next = next(); next != null; next = next()) {
        act(next);
      }
    } finally {
      runs = false;
    }
    tally.publish(circuit, stage.time().clock(), nowNs());
    arm();
  }

  private @Nullable Act next() {
    return circuit.next(nowNs(), guarded.ref() != null);
  }

  private void act(Act act) {
    Held<M> held = messages.get(act.id());
    if (held == null) {
      return; // it has ended meanwhile
    } else if (act instanceof Act.Forward forward) {
      forward(forward, held);
    } else if (act instanceof Act.TakeBack back) {
      if (isTakenBack(held)) {
        circuit.takenBack(back.id(), back.attempt());
      }
    } else if (act instanceof Act.Expire expired) {
      expire(expired, held);
    } else if (act instanceof Act.Fallback) {
      end(act.id(), this::fallBack);
    } else if (act instanceof Act.GiveUp last) {
      end(act.id(), kept -> giveUp(kept, last.because(path, options.limit())));
    }
  }

  private void forward(Act.Forward forward, Held<M> held) {
    ActorRef<M> to = guarded.ref();
    if (to == null || isOver(forward.id(), held)) {
      return;
    }
    Kept.Attempt attempt = held.kept.hand(to);
    held.attempt = attempt;
    attempt
        .outcome()
        .onComplete(outcome -> told(forward.id(), forward.attempt(), held, attempt, outcome));
  }

  private void told(
      long id, int number, Held<M> held, Kept.Attempt attempt, AsyncResult<Void> outcome) {
    if (over) {
      return;
    } else if (outcome.succeeded()) {
      if (circuit.succeeded(id, number, nowNs())) {
        tally.acknowledged();
      }
      messages.remove(id);
    } else if (held.attempt == attempt) {
      held.attempt = null;
      boolean begun = attempt.begunNanos().isPresent();
      if (begun || !isOver(id, held)) {
        guarded.failedWith(outcome.cause());
        failed(id, number, held, outcome.cause(), begun);
      }
    }
    run();
  }

  private void failed(long id, int number, Held<M> held, Throwable cause, boolean begun) {
    tally.failure(cause);
    circuit.failed(id, number, cause, begun, nowNs());
    boolean unused = isOver(id, held);
  }

  /** What nobody wants any more, or has ended elsewhere, is kept no longer. */
  private boolean isOver(long id, Held<M> held) {
    if (!held.kept.lapsed() && !held.kept.isOver()) {
      return false;
    }
    boolean unused = circuit.lapsed(id);
    end(id, kept -> tally.ended(kept, false));
    return true;
  }

  private boolean isTakenBack(Held<M> held) {
    Kept.Attempt attempt = held.attempt;
    held.attempt = null; // its failure is no news
    boolean taken = attempt != null && attempt.takeBack();
    if (!taken) {
      held.attempt = attempt;
    }
    return taken;
  }

  private void expire(Act.Expire expired, Held<M> held) {
    Kept.Attempt attempt = held.attempt;
    boolean taken = isTakenBack(held);
    held.attempt = null;
    if (attempt != null && attempt.isHandling()) {
      guarded.replace();
    }
    String why = "%s/guarded had no outcome within %s".formatted(path, options.deadline());
    CallboardException cause = new CallboardException(Code.TIMEOUT, why);
    failed(expired.id(), expired.attempt(), held, cause, !taken);
  }

  private void end(long id, Consumer<Kept<M>> how) {
    Held<M> held = messages.remove(id);
    if (held != null) {
      how.accept(held.kept);
    }
  }

  private void fallBack(Kept<M> kept) {
    Consumer<Kept<M>> instead = options.fallback();
    if (instead == null || kept.lapsed()) {
      tally.ended(kept, false);
      return;
    }
    try {
      instead.accept(kept);
      tally.fallback();
    } catch (RuntimeException | Error e) {
      String why = "the fallback of %s failed: %s".formatted(path, e);
      giveUp(kept, new CallboardException(Code.HANDLER_FAILED, why, e));
    }
  }

  private void giveUp(Kept<M> kept, CallboardException cause) {
    tally.ended(kept, !kept.lapsed() && kept.fail(cause));
  }

  /** One that fires too early looks again. */
  private void arm() {
    long delayNs = circuit.untilWakeNs(nowNs());
    long wakeNs = nowNs() + delayNs;
    if (delayNs < 0 || (alarm != null && alarmNs - wakeNs <= 0)) {
      return;
    } else if (alarm != null) {
      alarm.cancel();
    }
    alarmNs = wakeNs;
    alarm =
        stage.after(
            Duration.ofNanos(delayNs),
            () -> {
              alarm = null;
              run();
            });
  }

  /** The guard ends: so does all that it keeps. */
  void end() {
    over = true;
    guarded.end();
    if (alarm != null) {
      alarm.cancel();
    }
    CallboardException why = CallboardException.stopped("guard " + path);
    messages.values().forEach(held -> giveUp(held.kept, why));
    messages.clear();
    tally.publish(circuit, stage.time().clock(), nowNs());
  }
}
