package io.callboard.pollers.internal.poll;

import io.callboard.pollers.internal.poll.Outcome.Reason;
import io.callboard.pollers.internal.poll.PollerEffect.Open;
import io.callboard.pollers.internal.poll.RehearsedIntake.Attempt;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages from a source to their ends, played from one seed: the machine is the real one; source,
 * what is started, calls and faults are played. The poller dies at any moment, calls get lost
 * before or after they are carried out, leases run out, the source delivers twice, submissions are
 * refused, failed attempts are forgotten, operators pause and drain.
 */
final class PollerRehearsal {
  static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration STOP = Duration.ofSeconds(5);
  private static final int CREDIT = 6;
  static final int ATTEMPTS = 3;

  /** Flaw of a machine, with which the rules must break. */
  enum Flaw {
    NONE,
    /** A message is acknowledged although its submission was refused. */
    ACKNOWLEDGES_BEFORE_IT_IS_DURABLE,
    /** The lease of a message that waits for its submission is not extended. */
    FORGETS_WHAT_WAITS,
    /** What was taken is not given back. */
    DOES_NOT_GIVE_BACK,
    /** It is acknowledged although what it starts is not decided. */
    ACKNOWLEDGES_BEFORE_IT_IS_DECIDED
  }

  private final Flaw flaw;
  private final SplittableRandom random;
  private final boolean onComplete;
  private final boolean emits;
  private final RehearsedSource source;
  private final RehearsedIntake intake;
  private final PriorityQueue<Letter> mail =
      new PriorityQueue<>(Comparator.comparing(Letter::at).thenComparing(Letter::number));
  private Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private PollerMachine machine;
  private long life;
  private long connection;
  private long letters;
  private long polling;
  private boolean calm;
  private boolean alive = true;
  private @Nullable Instant stoppedAt;
  private @Nullable Instant refusesUntil;
  int deaths;
  int stops;
  int completed;
  int dead;

  private record Letter(Instant at, long number, Runnable deliver) {}

  PollerRehearsal(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    this.onComplete = random.nextInt(3) > 0;
    this.emits = onComplete && random.nextInt(3) == 0;
    this.source = new RehearsedSource(random.nextInt(3) > 0 ? LEASE : null, random.split());
    this.intake = new RehearsedIntake(random.split());
    for (int i = 0; i < 15; i++) {
      source.add("m" + i, now.plusMillis(random.nextInt(60_000)));
      intake.plan("m" + i);
    }
    machine = begin(SourceMode.RUN);
  }

  private PollerMachine begin(SourceMode mode) {
    PollerRules rules =
        new PollerRules(
            CREDIT,
            onComplete,
            ATTEMPTS,
            Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(4)),
            emits,
            Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(3)),
            Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(3)),
            PollerRules.BYTES);
    polling = 0;
    return switch (flaw) {
      case ACKNOWLEDGES_BEFORE_IT_IS_DURABLE ->
          new PollerMachine(rules, mode, "ann", random.split(), now) {
            @Override
            boolean isRefused(Outcome outcome) {
              return super.isRefused(outcome) && onComplete;
            }
          };
      case FORGETS_WHAT_WAITS ->
          new PollerMachine(rules, mode, "ann", random.split(), now) {
            @Override
            boolean isExtended(TakenMessage its) {
              return its.stage != TakenMessage.Stage.READY;
            }
          };
      case DOES_NOT_GIVE_BACK ->
          new PollerMachine(rules, mode, "ann", random.split(), now) {
            @Override
            void release(TakenMessage its, Instant at) {}
          };
      case ACKNOWLEDGES_BEFORE_IT_IS_DECIDED ->
          new PollerMachine(rules, mode, "ann", random.split(), now) {
            @Override
            public void submitted(long call, Outcome outcome, Instant at) {
              super.submitted(
                  call,
                  outcome instanceof Outcome.Undecided ? new Outcome.Begun("i", false) : outcome,
                  at);
            }
          };
      default -> new PollerMachine(rules, mode, "ann", random.split(), now);
    };
  }

  void play() {
    for (int step = 0; step < 900; step++) {
      fault();
      step();
    }
    calm = true;
    source.calmSince(now);
    if (!alive) {
      revive(SourceMode.RUN);
    }
    if (stoppedAt == null) {
      machine.mode(SourceMode.RUN, "bob", now);
      machine.room(null, "", now);
    }
    refusesUntil = now.plus(LEASE.multipliedBy(3)); // no fault: what waits must be kept
    for (int step = 0; step < 4_000 && !source.isDone(); step++) {
      step();
    }
    rule(source.isDone(), "P6: not all have ended: %s; %s", source, machine.report(now));
    stopsCleanly();
    for (String id : source.ids()) {
      boolean good = intake.endsWell(id, ATTEMPTS);
      rule(
          source.isCompleted(id) == (onComplete ? good : intake.isAccepted(id)),
          "P3: %s ended wrong: %s",
          id,
          intake.all(id));
      rule(!emits || !good || source.isSent(id), "P2: nothing was sent after %s", id);
    }
  }

  /** Lets it stop when new messages have come, without a fault. */
  private void stopsCleanly() {
    for (int i = 0; i < 5; i++) {
      source.add("late" + i, now);
      intake.plan("late" + i);
    }
    for (Instant quiet = now.plus(PATIENCE); now.isBefore(quiet); ) {
      step(); // what was lost before it was calm
    }
    for (int i = 5; i < 10; i++) {
      source.add("late" + i, now);
      intake.plan("late" + i);
    }
    int ticks = 3 + random.nextInt(30);
    for (int step = 0; step < ticks; step++) {
      step();
    }
    long itsLife = life;
    stop();
    for (int step = 0; step < 40 && life == itsLife && !machine.isIdle(); step++) {
      step();
    }
    rule(
        machine.isIdle() || life != itsLife,
        "P6: it holds messages after a stop: %s",
        machine.report(now));
    for (int step = 0; step < 4_000 && !source.isDone(); step++) {
      step();
    }
    rule(source.isDone(), "P6: not all have ended after a stop: %s", source);
  }

  private void fault() {
    switch (random.nextInt(300)) {
      case 0 -> {
        if (alive) {
          deaths++;
          alive = false;
          life++;
          post(8_000, () -> revive(any()));
        }
      }
      case 1 -> stop();
      case 2, 3 -> source.deliverAgain();
      case 4 -> refusesUntil = now.plusMillis(random.nextInt(20_000));
      case 5, 6 -> mode(any());
      case 8 -> intake.forget(source.any());
      case 7 -> {
        if (alive) {
          machine.room(random.nextInt(3) == 0 ? null : random.nextInt(4), "the brake is on", now);
        }
      }
      default -> {}
    }
  }

  private SourceMode any() {
    SourceMode[] all = {SourceMode.RUN, SourceMode.RUN, SourceMode.PAUSED, SourceMode.DRAINING};
    return all[random.nextInt(all.length)];
  }

  private void mode(SourceMode mode) {
    if (alive && stoppedAt == null) {
      machine.mode(mode, "ann", now);
      carryOut();
    }
  }

  private void stop() {
    if (alive && stoppedAt == null) {
      stops++;
      stoppedAt = now;
      machine.stop(now);
      carryOut();
    }
  }

  private void revive(SourceMode mode) {
    if (!alive) {
      source.close(connection);
      alive = true;
      stoppedAt = null;
      life++;
      machine = begin(calm ? SourceMode.RUN : mode);
    }
  }

  private void step() {
    now = now.plusMillis(100);
    source.tick(now, alive);
    if (alive) {
      machine.tick(now);
      carryOut();
      boolean over = stoppedAt != null && (machine.isIdle() || stoppedAt.plus(STOP).isBefore(now));
      if (over) {
        alive = false;
        revive(SourceMode.RUN);
      }
    }
    while (!mail.isEmpty() && !mail.peek().at().isAfter(now)) {
      mail.remove().deliver().run();
    }
  }

  private void post(int within, Runnable deliver) {
    mail.add(new Letter(now.plusMillis(random.nextInt(within)), ++letters, deliver));
  }

  /** Carries a call out, and answers it; at times not, or without an answer. */
  private <T> void call(
      Supplier<@Nullable T> carriedOut, Consumer<T> answer, Consumer<String> failure) {
    long its = life;
    boolean slow = !calm && random.nextInt(20) == 0;
    boolean lost = !calm && random.nextInt(25) == 0;
    boolean unanswered = !calm && random.nextInt(25) == 0;
    Instant late = now.plus(PATIENCE);
    Runnable fails = () -> toMachine(its, () -> failure.accept("no answer"));
    if (lost) {
      mail.add(new Letter(late, ++letters, fails));
      return;
    }
    post(
        slow ? 4_000 : 400,
        () -> {
          T done = carriedOut.get();
          if (done == null) {
            fails.run();
          } else if (unanswered) {
            mail.add(new Letter(late, ++letters, fails));
          } else {
            post(300, () -> toMachine(its, () -> answer.accept(done)));
          }
        });
  }

  private void toMachine(long its, Runnable event) {
    if (its == life && alive) {
      event.run();
      carryOut();
    }
  }

  private void carryOut() {
    for (PollerEffect each : machine.effects()) {
      carryOut(each);
    }
    int held = machine.report(now).inFlight();
    rule(held <= CREDIT, "P1: %d messages are held", held);
  }

  private void carryOut(PollerEffect effect) {
    if (effect instanceof Open open) {
      long its = life;
      call(
          () -> its == life && alive ? connection = source.open() : null, // the dead open nothing
          made -> machine.opened(open.life(), source.lease(), now),
          cause -> machine.openFailed(open.life(), cause, now));
    } else if (effect instanceof PollerEffect.Close close) {
      source.close(connection);
      polling = 0;
      long its = life;
      post(500, () -> toMachine(its, () -> machine.closed(close.life(), now)));
    } else if (effect instanceof PollerEffect.Poll poll) {
      poll(poll);
    } else if (effect instanceof PollerEffect.Submit submit) {
      submit(submit);
    } else {
      acknowledge(effect);
    }
  }

  private void poll(PollerEffect.Poll poll) {
    rule(polling == 0, "P1: two polls are under way");
    polling = poll.call();
    rule(poll.most() + machine.report(now).inFlight() <= CREDIT, "P1: it asks for too many");
    long at = connection;
    this.<List<SourceMessage>>call(
        () -> source.poll(at, poll.most(), now),
        taken -> {
          polling = polling == poll.call() ? 0 : polling;
          machine.polled(poll.call(), taken, now);
        },
        cause -> {
          polling = polling == poll.call() ? 0 : polling;
          machine.failed(poll.call(), cause, now);
        });
  }

  private void submit(PollerEffect.Submit submit) {
    String id = submit.message().id();
    rule(submit.attempt() <= ATTEMPTS, "P5: attempt %d of %s", submit.attempt(), id);
    int failures = Math.max(0, submit.message().failures());
    for (int before = failures + 1; before < submit.attempt(); before++) {
      rule(intake.hasFailed(id, before), "P5: %s is tried again without a failure", id);
    }
    rule(
        submit.attempt() > Math.min(failures, ATTEMPTS - 1),
        "P5: %s is tried again from the beginning",
        id);
    this.<Outcome>call(
        () -> {
          if (refusesUntil != null && refusesUntil.isAfter(now)) {
            return new Outcome.Refused(Reason.OVERLOADED, "full", Duration.ofSeconds(1));
          }
          Attempt its = intake.submit(id, submit.attempt(), this::ends);
          return onComplete ? its.outcome() : intake.accepted(id);
        },
        outcome -> machine.submitted(submit.call(), outcome, now),
        cause ->
            machine.submitted(
                submit.call(),
                new Outcome.Refused(Reason.UNAVAILABLE, cause, Duration.ofMillis(300)),
                now));
  }

  /** The end of an attempt is told to the poller of that moment. */
  private void ends(Attempt attempt) {
    post(
        9_000,
        () -> {
          attempt.end();
          long its = life;
          toMachine(
              its, () -> machine.settled(attempt.id(), attempt.number(), attempt.outcome(), now));
        });
  }

  private void acknowledge(PollerEffect effect) {
    long at = connection;
    if (effect instanceof PollerEffect.Extend extend) {
      this.<Set<String>>call(
          () -> source.extend(at, extend.receipts(), now),
          lost -> machine.extended(extend.call(), lost, now),
          cause -> machine.failed(extend.call(), cause, now));
    } else if (effect instanceof PollerEffect.Complete complete) {
      complete.receipts().forEach(this::mayComplete);
      done(
          complete.call(),
          () -> source.complete(at, complete.receipts()),
          complete.receipts().size());
    } else if (effect instanceof PollerEffect.Release release) {
      done(release.call(), () -> source.release(at, release.receipts(), now), 0);
    } else if (effect instanceof PollerEffect.Fail fail) {
      String id = source.idOf(fail.receipt());
      rule(intake.hasFailed(id), "P2: %s is given back without a failure", id);
      done(fail.call(), () -> source.fail(at, fail.receipt(), now.plus(fail.delay())), 0);
    } else if (effect instanceof PollerEffect.Dead deadOne) {
      String id = source.idOf(deadOne.receipt());
      rule(
          onComplete ? !intake.endsWell(id, ATTEMPTS) : !intake.isAccepted(id),
          "P5: %s is set aside",
          id);
      rule(!deadOne.cause().isEmpty(), "P5: %s is set aside without a cause", id);
      dead++;
      done(deadOne.call(), () -> source.dead(at, deadOne.receipt()), 0);
    } else if (effect instanceof PollerEffect.Emit emit) {
      done(emit.call(), () -> source.emit(at, emit.message().id()), 0);
    }
  }

  private void mayComplete(String receipt) {
    String id = source.idOf(receipt);
    rule(
        onComplete ? intake.hasSucceeded(id) : intake.isDecided(id) && intake.isAccepted(id),
        "P2: %s is acknowledged, but %s",
        id,
        intake.all(id));
    rule(!emits || source.isSent(id), "P2: %s is acknowledged, and nothing was sent", id);
  }

  private void done(long call, Supplier<Boolean> carriedOut, int acknowledged) {
    this.<Boolean>call(
        () -> carriedOut.get() ? true : null,
        yes -> {
          completed += acknowledged;
          machine.done(call, now);
        },
        cause -> machine.failed(call, cause, now));
  }

  static void rule(boolean holds, String text, Object... values) {
    if (!holds) {
      throw new AssertionError(text.formatted(values));
    }
  }
}
