package io.callboard.turn;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.metrics.MailboxMeter;
import io.callboard.metrics.MailboxStatus;
import io.callboard.outbox.Ready;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.turn.TurnLoop.End;
import io.callboard.turn.TurnLoop.Handled;
import io.callboard.turn.TurnLoop.Step;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the {@link TurnLoop} of one durable actor. Every method but {@link #status()} and those
 * of {@link io.callboard.supervision.Supervised} is called on the durable context.
 */
final class DurableRunner implements Runner {
  private static final Logger log = LoggerFactory.getLogger(DurableRunner.class);

  private final CallboardRuntime runtime;
  private final ActorRef<?> self;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final History history;
  private final TurnLoop loop;
  private final UnitBuilder units;
  private volatile String type = "";
  private final MailboxMeter meter;
  private @Nullable Lease lease;
  private @Nullable Life life;
  private boolean starting;
  private boolean stopped;
  private long lastBusyNs;
  private Promise<Void> firstStart = Promise.promise();

  private record Life(Incarnation incarnation, Scope scope, ProtocolCodec<Object> codec) {}

  DurableRunner(
      CallboardRuntime runtime,
      ActorRef<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    this.runtime = runtime;
    this.self = self;
    this.factory = factory;
    this.options = options;
    this.history = new History(runtime.clock());
    this.loop = new TurnLoop("the mailbox of " + self.path(), options.attempts());
    this.units = new UnitBuilder(self.path(), options.snapshotEvery());
    this.lastBusyNs = runtime.nanoTime();
    this.meter = new MailboxMeter(lastBusyNs);
  }

  /** Completes at the first start, or fails with it. */
  Future<Void> firstStart() {
    return firstStart.future();
  }

  /** This node owns the actor's partition. */
  void own(Lease granted) {
    boolean same = granted.equals(lease);
    lease = granted;
    if (!same && !stopped && life == null) {
      activate();
    }
  }

  /** Another node owns it, or will. */
  void disown() {
    lease = null;
    history.is(State.ELSEWHERE);
    loop.unload();
    firstStart.tryComplete();
    runtime.supervisor().forget(this);
    runtime.denials().allowed(label());
    endLife().onFailure(CallboardRuntime::reportedElsewhere);
  }

  boolean isOwned() {
    return lease != null;
  }

  /** There may be mail, in that segment. */
  void hint(long sequence) {
    arrived(sequence);
    if (loop.hint(sequence)) {
      run();
    }
  }

  /** The same, but a commit under way will tell. */
  void expect(long sequence) {
    arrived(sequence);
    loop.expect(sequence);
  }

  /** This node has put mail into the mailbox. */
  void delivered(long sequence, List<Envelope> mail) {
    arrived(sequence);
    loop.delivered(sequence, mail);
    run();
  }

  private void arrived(long sequence) {
    meter.arrived(sequence, runtime.clock().millis());
    publish();
  }

  private void publish() {
    meter.publish(loop.queued(), loop.unread(), loop.attempts());
  }

  /** Whether nothing happened for {@code nanos}. */
  boolean idleFor(long nanos) {
    return life != null && loop.idle() && runtime.nanoTime() - lastBusyNs >= nanos;
  }

  private void activate() {
    Lease owned = lease;
    if (owned == null || stopped || starting) {
      return;
    }
    starting = true;
    Store store = runtime.store();
    store
        .load(self.path(), owned)
        .compose(
            loaded ->
                loaded.record().isPresent()
                    ? Future.succeededFuture(loaded)
                    : store.createMailbox(self.path()).compose(v -> store.load(self.path(), owned)))
        .onComplete(
            read ->
                runtime.onDurableContext(
                    () -> {
                      starting = false;
                      if (read.succeeded()) {
                        launch(read.result());
                      } else {
                        failedStart(read.cause());
                      }
                    }));
  }

  @SuppressWarnings("unchecked")
  private void launch(Loaded loaded) {
    if (stopped || lease == null) {
      return;
    }
    Actor<Object> actor;
    ProtocolCodec<Object> codec;
    try {
      actor = (Actor<Object>) factory.get();
      codec = ProtocolCodec.of(actor.messageType());
      units.loaded(loaded.journal());
    } catch (RuntimeException e) {
      failedStart(e);
      return;
    }
    type = actor.getClass().getName();
    Scope scope = new Scope(runtime, self, loaded, own -> runtime.onDurableContext(() -> own(own)));
    Incarnation incarnation =
        new Incarnation(actor, options, cause -> runtime.onDurableContext(() -> crashed(cause)));
    starting = true;
    incarnation
        .start(runtime.vertx(), runtime.zoneRegistry(), scope)
        .onComplete(
            up ->
                runtime.onDurableContext(
                    () -> {
                      starting = false;
                      if (up.failed()) {
                        failedStart(up.cause());
                      } else {
                        started(new Life(incarnation, scope, codec), loaded);
                      }
                    }));
  }

  private void started(Life now, Loaded loaded) {
    if (stopped || lease == null) {
      now.incarnation()
          .end(runtime.vertx(), runtime.zoneRegistry())
          .onFailure(CallboardRuntime::reportedElsewhere);
      return;
    }
    life = now;
    try {
      loop.loaded(loaded);
    } catch (IllegalStateException e) {
      crashed(e);
      return;
    }
    meter.loaded(loop.record().next(), loaded.mail(), loaded.waiting(), runtime.clock().millis());
    history.is(State.RUNNING);
    runtime.denials().allowed(label());
    runtime.supervisor().started(this);
    firstStart.tryComplete();
    lastBusyNs = runtime.nanoTime();
    run();
  }

  private void failedStart(Throwable cause) {
    history.failed(cause);
    firstStart.tryFail(
        new CallboardException(
            CallboardException.Code.START_FAILED,
            "%s could not be started: %s".formatted(self.path(), cause.getMessage()),
            cause));
    if (!stopped && lease != null) {
      supervise(cause);
    }
  }

  /** The store denies the partition: it cannot be owned, here. */
  void denied(StoreException cause) {
    if (!stopped && lease == null) {
      failedStart(cause);
      supervise(cause);
    }
  }

  private void supervise(Throwable cause) {
    if (StoreException.isDenial(cause)) {
      runtime.denials().denied(label(), cause);
      runtime.supervisor().failedForGood(this, cause);
    } else {
      runtime.supervisor().failed(this, cause);
    }
  }

  private void own(Delivery own) {
    if (!loop.offer(own)) {
      runtime.deadLetter(
          self.path(),
          own.message(),
          CallboardException.mailboxFull(self.path(), TurnLoop.MOST_OWN));
      return;
    }
    run();
  }

  private void run() {
    Life now = life;
    if (now == null) {
      return;
    }
    Step step = loop.next();
    publish();
    if (step instanceof Step.Wait) {
      return;
    }
    lastBusyNs = runtime.nanoTime();
    if (step instanceof Step.Read read) {
      read(now, read.from());
    } else if (step instanceof Step.HandleMail mail) {
      Slice slice = new Slice(runtime, self, now.incarnation(), now.scope(), now.codec());
      slice.handle(mail.mail(), (turns, end) -> back(now, () -> handled(turns, end)));
    } else if (step instanceof Step.HandleOwn own) {
      now.incarnation().run(() -> handleOwn(now, own.delivery().message()));
    } else if (step instanceof Step.CommitTurns turns) {
      commitTurns(now, turns.turns());
    } else if (step instanceof Step.Park park) {
      park(now, park);
    } else if (step instanceof Step.Fail fail) {
      crashed(fail.cause());
    }
  }

  private void read(Life now, long from) {
    runtime
        .store()
        .read(self.path(), from)
        .onComplete(
            read ->
                runtime.onDurableContext(
                    () -> {
                      if (life != now) {
                        return;
                      }
                      if (read.failed()) {
                        crashed(read.cause());
                        return;
                      }
                      meter.read(read.result(), runtime.clock().millis());
                      try {
                        loop.read(read.result());
                      } catch (IllegalStateException e) {
                        crashed(e);
                        return;
                      }
                      run();
                    }));
  }

  private void handled(List<Turn> turns, End end) {
    if (end instanceof End.Failed failed) {
      runtime.counters().failed.increment();
      history.failed(failed.cause());
    }
    loop.handledMail(turns, end);
  }

  private void handleOwn(Life now, Object message) {
    Turn turn = new Turn(Reply.NONE);
    now.scope().begin(turn);
    now.incarnation().handle(message, failure -> settled(now, turn, failure));
  }

  private void settled(Life now, Turn turn, @Nullable Throwable failure) {
    now.scope().end();
    back(
        now,
        () -> {
          if (failure == null) {
            loop.handled(turn);
          } else {
            runtime.counters().failed.increment();
            history.failed(failure);
            loop.failed(failure);
          }
        });
  }

  private void back(Life now, Runnable event) {
    runtime.onDurableContext(
        () -> {
          if (life == now) {
            event.run();
            run();
          }
        });
  }

  private void commitTurns(Life now, List<Handled> turns) {
    if (turns.stream().allMatch(h -> h.input() == null && h.turn().changesNothing())) {
      loop.nothingToCommit();
      left(now, turns, Map.of());
      run();
      return;
    }
    boolean persistent = now.incarnation().actor() instanceof PersistentActor;
    CommitUnit unit;
    try {
      unit = units.turns(loop.record(), loop.version(), owned(), turns, persistent, last(turns));
    } catch (CodecException e) {
      loop.refused();
      crashed(e);
      return;
    }
    submit(now, unit, () -> left(now, turns, unit.outgoing()));
  }

  private static @Nullable Object last(List<Handled> turns) {
    for (int i = turns.size() - 1; i >= 0; i--) {
      if (turns.get(i).turn().state() != null) {
        return turns.get(i).turn().state();
      }
    }
    return null;
  }

  private void left(Life now, List<Handled> turns, Map<ActorPath, List<Envelope>> outgoing) {
    List<Runnable> effects = new ArrayList<>();
    for (Handled handled : turns) {
      history.handled();
      handled.turn().leaving().forEach(Runnable::run);
      effects.addAll(handled.turn().effects());
    }
    if (!effects.isEmpty()) {
      now.incarnation().run(() -> effects.forEach(now.incarnation()::effect));
    }
    runtime.counters().handled.add(turns.size());
    meter.handled(turns.size(), runtime.nanoTime());
    outgoing.values().forEach(envelopes -> runtime.counters().sent.add(envelopes.size()));
  }

  private void park(Life now, Step.Park park) {
    CommitUnit unit =
        units.park(
            loop.record(), loop.version(), owned(), park.input(), park.cause(), park.attempts());
    log.error(
        "message {} of {} is parked after {} attempts: {}",
        park.input().id(),
        self.path(),
        park.attempts(),
        String.valueOf(park.cause()));
    submit(now, unit, this::parked);
  }

  private void parked() {
    runtime.counters().parked.increment();
    meter.parked();
  }

  private Lease owned() {
    if (lease == null) {
      throw new IllegalStateException(self.path() + " works without a lease");
    }
    return lease;
  }

  private void submit(Life now, CommitUnit unit, Runnable committed) {
    runtime.submit(
        new Ready(
            unit,
            Optional.of(owned()),
            true,
            result -> {
              if (result instanceof Ready.Result.Committed) {
                runtime.counters().turns.increment();
                committed.run();
                if (life == now && unit.write().isPresent()) {
                  committed(unit.write().get().record());
                }
              } else if (life == now && result instanceof Ready.Result.Failed failed) {
                refused(failed);
              }
            }));
  }

  private void committed(ActorRecord written) {
    units.committed(written);
    meter.consumed(written.next());
    Throwable behind = loop.committed(written);
    if (behind != null) {
      crashed(behind);
    } else {
      run();
    }
  }

  private void refused(Ready.Result.Failed failed) {
    if (failed.reason() == Reason.FENCED) {
      log.info("{} is owned by another node now", self.path());
      runtime.ownership().lost(self.path());
      return;
    }
    if (failed.reason() == Reason.TOO_LARGE) {
      loop.refused();
    }
    String what =
        "a turn of %s was not committed, %s: %s"
            .formatted(self.path(), failed.reason(), failed.detail());
    crashed(
        failed.reason() == Reason.DENIED
            ? StoreException.denied(what, null)
            : new IllegalStateException(what));
  }

  private void crashed(Throwable cause) {
    if (life == null || stopped) {
      return;
    }
    loop.unload();
    if (StoreException.isDenial(cause)) {
      history.failed(cause);
    }
    endLife().onComplete(done -> supervise(cause));
  }

  private Future<Void> endLife() {
    Life now = life;
    life = null;
    if (now == null) {
      return Future.succeededFuture();
    }
    now.incarnation().run(now.scope()::cancelTimers);
    return now.incarnation().end(runtime.vertx(), runtime.zoneRegistry());
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    loop.stop();
    runtime.supervisor().forget(this);
    runtime.denials().allowed(label());
    firstStart.tryFail(CallboardException.stopped("actor " + self.path()));
    return endLife().onComplete(done -> history.is(State.STOPPED));
  }

  @Override
  public void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void restart() {
    runtime.onDurableContext(
        () -> {
          if (life == null && lease != null && !stopped) {
            history.restarted();
            activate();
          } else if (lease == null && !stopped) {
            runtime.ownership().want(self.path()).onFailure(CallboardRuntime::reportedElsewhere);
          }
        });
  }

  @Override
  public void rest(String why) {
    history.is(State.FAILED);
  }

  @Override
  public SupervisionOptions supervision() {
    return options.supervision();
  }

  @Override
  public ActorPath path() {
    return self.path();
  }

  ActorOptions options() {
    return options;
  }

  @Override
  public ActorStatus status() {
    MailboxStatus mailbox = meter.status(runtime.nanoTime());
    return history.status(
        self.path(),
        runtime.node(),
        type,
        true,
        options.zone(),
        mailbox.messages(),
        history.state() == State.ELSEWHERE ? null : mailbox);
  }
}
