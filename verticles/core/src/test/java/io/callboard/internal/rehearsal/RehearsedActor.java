package io.callboard.internal.rehearsal;

import io.callboard.ActorRef;
import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.delivery.Redelivery;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.outbox.ActorDeliveries;
import io.callboard.internal.outbox.DurableTimers;
import io.callboard.internal.outbox.Outbox;
import io.callboard.internal.outbox.OutboxDeliveries;
import io.callboard.internal.outbox.OutboxEntryIds;
import io.callboard.internal.outbox.RelayMachine;
import io.callboard.internal.outbox.RelayMachine.Outcome;
import io.callboard.internal.turn.BypassMessage;
import io.callboard.internal.turn.SliceResult;
import io.callboard.internal.turn.Turn;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.turn.TurnStep;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.StoreException;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Life of an actor on one host: the real {@link TurnLoop} and {@link CommitUnitBuilder}, and a
 * handler that notices at once if a message is missing, doubled or out of order.
 */
final class RehearsedActor {
  private static final ProtocolCodec<Hop> CODEC = ProtocolCodec.of(Hop.class);

  private static final long PUSH_WAIT = 10;
  private static final long LOOK = 20;
  private static final long LONG_STEP_NANOS = 10_000_000;
  private static final String CONFIRMED = "confirmed";
  private static final ActorRef<Hop> OUTSIDE = ActorRef.read("volatile:/outside");
  private static final Redelivery REDELIVERY =
      new Redelivery(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(1)), 6);

  private final RehearsedHost host;
  private final ActorPath path;
  private final Lease lease;
  private final TurnLoop loop;
  private final CommitUnitBuilder units;
  private final Outbox outbox;
  private final RelayMachine relay;
  private ActorRecord posted = ActorRecord.EMPTY;
  private Hop.Count state = Hop.Count.NONE;
  private @Nullable DurableTimers timers;
  private @Nullable ActorDeliveries deliveries;
  private TurnStep.@Nullable CommitTurns underWay;
  private long readNanos;
  private boolean armed;
  private boolean over;

  /**
   * @param before this host's last life of the actor under the same lease; null if there is none
   */
  RehearsedActor(RehearsedHost host, ActorPath path, Lease lease, @Nullable RehearsedActor before) {
    this.host = host;
    this.path = path;
    this.lease = lease;
    this.loop =
        before != null
            ? before.loop
            : new TurnLoop(
                path.toString(), 5, host.mode(), host.header(path), this::nanoTime, gone -> {});
    if (before == null) {
      loop.direct().outlet(host.outlet(path, loop.direct()));
    }
    this.outbox =
        new Outbox(
            this::nowMs,
            new OutboxDeliveries(
                REDELIVERY, CommitUnitBuilder::parked, this::nowMs, host.random()));
    this.relay = new RelayMachine(path, outbox, loop::mayBeFull, host::pauseNanos);
    this.units = new CommitUnitBuilder(path, SnapshotPolicy.DEFAULT, false);
  }

  void start(Loaded loaded) {
    state = count(loaded.record().map(StoredRecord::record));
    units.loaded(
        loaded.record().map(StoredRecord::record).orElse(ActorRecord.EMPTY), loaded.journal());
    OutboxEntryIds numbers = new OutboxEntryIds(loaded, nowMs());
    timers = new DurableTimers(path, loaded, numbers, this::nowMs);
    ActorRef<Hop> self = ActorRef.read("durable:" + path);
    deliveries = new ActorDeliveries(self, loaded, numbers, REDELIVERY, this::nowMs, host.random());
    outbox.loaded(path.toString(), loaded.outbox(), host.nanoTime());
    loop.loaded(loaded);
    dispatch();
    run();
  }

  /** Reads a clock that goes on between two readings of one step, too, now and then by much. */
  private long nanoTime() {
    long passes = host.random().nextInt(16) == 0 ? host.random().nextLong(LONG_STEP_NANOS) : 0;
    long now = TimeUnit.MILLISECONDS.toNanos(host.schedule().now());
    readNanos = Math.max(readNanos, now) + passes;
    return readNanos;
  }

  private long nowMs() {
    return host.nanoTime() / 1_000_000;
  }

  static Hop.Count count(Optional<ActorRecord> record) {
    return record.flatMap(found -> found.state(Hop.Count.class)).orElse(Hop.Count.NONE);
  }

  @Override
  public String toString() {
    return "%s: %d queued, %d known to wait, full %s, %d in the outbox, sends for %d ms"
        .formatted(
            path,
            loop.queued(),
            loop.waiting(),
            loop.mayBeFull(),
            outbox.size(),
            relay.waitedNanos(host.nanoTime()) / 1_000_000);
  }

  /** Ends this life; nothing of it happens any more. */
  void end() {
    over = true;
    loop.unload(new IllegalStateException("the life was ended"));
    giveUp();
  }

  private boolean takesBack() {
    boolean takesBack =
        underWay != null
            && underWay.hasDirect()
            && relay.waitsForRoom(host.nanoTime())
            && relay.giveUp();
    if (takesBack) {
      TurnStep.CommitTurns step = underWay;
      underWay = null;
      host.witness().takesBack();
      loop.takeBack(step);
    }
    return takesBack;
  }

  /** Gives up the turns that could not be submitted yet; they are not committed. */
  private void giveUp() {
    if (relay.giveUp() && underWay != null) {
      loop.direct().notCommitted(underWay.turns());
      underWay = null;
    }
  }

  /** Offers a message that nobody has stored; returns whether it is handled. */
  boolean offer(Append message, boolean room) {
    boolean takes = !over && loop.offer(new BypassMessage(message), room);
    if (takes) {
      host.witness().takesDirect();
      look();
      run();
    }
    return takes;
  }

  private void look() {
    host.schedule()
        .at(
            host.schedule().now() + LOOK,
            () -> {
              if (!host.isDead() && loop.direct().tick()) {
                look();
              }
            });
  }

  Lease lease() {
    return lease;
  }

  void hint(long sequence) {
    if (!over && loop.doorbell().hint(sequence)) {
      run();
    }
  }

  void expect(long sequence) {
    loop.doorbell().expect(sequence);
  }

  void foretold(long sequence) {
    if (!over) {
      if (loop.doorbell().foretold(sequence)) {
        await();
      }
      run();
    }
  }

  private void await() {
    host.schedule().at(host.schedule().now() + PUSH_WAIT, this::waited);
  }

  private void waited() {
    if (!over) {
      if (loop.doorbell().waited()) {
        await();
      }
      run();
    }
  }

  void pushed(long sequence, List<Envelope> mail) {
    if (!over) {
      if (loop.doorbell().pushed(sequence, mail)) {
        host.witness().takesPush();
      }
      run();
    }
  }

  void delivered(long sequence, List<Envelope> mail) {
    if (!over) {
      loop.doorbell().delivered(sequence, mail);
      run();
    }
  }

  void run() {
    if (over) {
      return;
    }
    TurnStep step = loop.next();
    if (step instanceof TurnStep.Read read) {
      host.read(path, read.from(), this::read, cause -> fail());
    } else if (step instanceof TurnStep.HandleMail mail) {
      host.schedule().soon(() -> begin(mail));
    } else if (step instanceof TurnStep.CommitTurns turns) {
      commit(turns);
      run();
    } else if (step instanceof TurnStep.Linger linger) {
      long ticks = Math.max(1, TimeUnit.NANOSECONDS.toMillis(linger.nanos()));
      host.schedule().at(host.schedule().now() + ticks, this::run);
    } else if (step instanceof TurnStep.Fail) {
      fail();
    } else if (step instanceof TurnStep.Park park) {
      throw new AssertionError("nothing fails that often: " + park.cause());
    }
  }

  private void fail() {
    if (!over) {
      over = true;
      loop.unload(new IllegalStateException("the life is over"));
      giveUp();
      host.failed(path, this);
    }
  }

  private void read(StoredMail mail) {
    if (over) {
      return;
    }
    try {
      loop.read(mail);
    } catch (StoreException e) {
      fail(); // another owner has consumed meanwhile
      return;
    }
    run();
  }

  /** Begins a turn; some handlers wait for a future, and some hold their thread. */
  private void begin(TurnStep.HandleMail step) {
    int kind = host.random().nextInt(20);
    if (kind > 1) {
      handle(step);
    } else if (!over) {
      if (kind == 1) {
        loop.direct().slow();
      }
      host.schedule()
          .at(host.schedule().now() + host.random().nextInt(10 * (int) LOOK), () -> handle(step));
    }
  }

  private void handle(TurnStep.HandleMail step) {
    if (over) {
      return;
    }
    List<Turn> turns = new ArrayList<>();
    SliceResult end = new SliceResult.Paused();
    int room = step.stashRoom();
    for (Envelope envelope : step.mail()) {
      if (host.random().nextInt(200) == 0) {
        end = new SliceResult.Failed(new IllegalStateException("the handler failed"));
        break;
      } else if (host.random().nextInt(30) == 0 && !turns.isEmpty()) {
        break;
      }
      if (room > 0 && putsAside()) {
        Turn aside = new Turn(Reply.NONE);
        aside.putAside();
        turns.add(aside);
        room--;
        continue;
      }
      long timer = envelope.handling().timer();
      if (timer > 0 && !timers.isRunning(timer)) {
        turns.add(new Turn(Reply.NONE));
        continue;
      }
      Turn turn = turn(CODEC.decode(envelope));
      turns.add(turn);
      if (timer > 0) {
        timers.handled(turn, timer);
      }
      if (host.world().isUnruly() && host.random().nextInt(4) == 0) {
        turn.release(host.world().isCalm() ? Integer.MAX_VALUE : 1 + host.random().nextInt(3));
        break;
      }
    }
    loop.handledMail(turns, end);
    run();
  }

  private boolean putsAside() {
    boolean aside =
        host.world().isUnruly() && !host.world().isCalm() && host.random().nextInt(5) == 0;
    if (aside) {
      host.witness().putsAside();
    }
    return aside;
  }

  private Turn turn(Hop hop) {
    if (hop.from().equals(CONFIRMED)) {
      Turn confirms = new Turn(Reply.NONE);
      boolean unused = deliveries.confirm(confirms, hop.number());
      return confirms;
    }
    host.witness().sees(path, hop);
    state = host.world().isUnruly() ? state.gotInAnyOrder(hop) : gotInOrder(hop);
    Turn turn = new Turn(Reply.NONE);
    if (hop.ttl() > 0) {
      ActorPath next = host.next(path, hop);
      state = state.sentTo(next.toString());
      turn.send(
          next,
          new Hop(path.toString(), state.to(next.toString()), hop.ttl() - 1),
          null,
          host.world().handling());
    }
    if (host.world().isUnruly() && host.mode() == DeliveryMode.EXACTLY_ONCE) {
      timers(turn);
    }
    if (host.mode() == DeliveryMode.EXACTLY_ONCE && host.random().nextInt(15) == 0) {
      state = state.sentTo(Hop.Count.OUTSIDE);
      Hop made = new Hop(path.toString(), state.to(Hop.Count.OUTSIDE), 0);
      long unused = deliveries.deliver(turn, OUTSIDE, id -> made);
    }
    turn.state(state);
    if (goesOn()) {
      turn.goOn();
    }
    return turn;
  }

  /** Returns whether it handles messages while others commit, as every other actor does. */
  private boolean goesOn() {
    return path.toString().hashCode() % 2 == 0;
  }

  /** Starts one now and then, and cancels some: a cancelled one counts as got, and never comes. */
  private void timers(Turn turn) {
    if (!host.world().isCalm() && host.random().nextInt(6) == 0) {
      state = state.sentTo(Hop.Count.TIMER);
      long number = state.to(Hop.Count.TIMER);
      Hop hop = new Hop(Hop.Count.TIMER, number, 0);
      timers.start(turn, "t" + number, Duration.ofMillis(host.random().nextInt(2_000)), hop, false);
    }
    long oldest = state.from(Hop.Count.TIMER) + 1;
    if (host.random().nextInt(12) == 0 && timers.cancel(turn, "t" + oldest)) {
      state = state.gotInAnyOrder(new Hop(Hop.Count.TIMER, oldest, 0));
    }
  }

  private Hop.Count gotInOrder(Hop hop) {
    boolean mayMiss = host.mode() == DeliveryMode.AT_MOST_ONCE;
    long last = state.from(hop.from());
    if (hop.number() > last + 1 && host.isReplaced(lease)) {
      return state.got(hop); // the next owner had direct mail; this turn is refused
    }
    if (mayMiss ? hop.number() <= last : hop.number() != last + 1) {
      throw new AssertionError(
          "%s got number %d of %s after %d".formatted(path, hop.number(), hop.from(), last));
    }
    return state.got(hop);
  }

  private void commit(TurnStep.CommitTurns step) {
    CommitUnit unit =
        units.turns(
            new CommitUnitBuilder.Basis(loop.record(), loop.version(), lease),
            step.all(),
            state,
            loop.header(),
            Instant.ofEpochMilli(nowMs()));
    posted = unit.write().orElseThrow().record();
    underWay = step;
    relay.post(unit, host.nanoTime());
    dispatch();
  }

  private void dispatch() {
    if (over) {
      return;
    }
    CommitUnit unit = relay.next(loop.record(), loop.version(), host.nanoTime());
    if (unit != null) {
      host.submit(new PendingUnit(unit, Optional.of(lease), this::result));
    } else if (relay.waitNanos(host.nanoTime()) >= 0 && !armed) {
      armed = true;
      host.later(
          relay.waitNanos(host.nanoTime()),
          () -> {
            armed = false;
            dispatch();
          });
    }
  }

  /**
   * Sends the due deliveries; while there are faults, half of them are lost, or their
   * confirmations.
   */
  private void deliver() {
    for (OutboxDeliveries.Attempt attempt : outbox.deliveries().takeAttempts()) {
      boolean lost = !host.world().isCalm() && host.random().nextInt(4) == 0;
      if (!lost) {
        Hop hop = CODEC.decode(attempt.entry().message());
        host.schedule().soon(() -> arrives(attempt.number(), hop));
      }
    }
    for (OutboxDeliveries.GivenUp given : outbox.deliveries().takeGivenUp()) {
      host.world().outside().givenUp(path, given.number());
      deliveries.parked(given.number());
    }
  }

  private void arrives(long id, Hop hop) {
    host.world().outside().receive(path, id, hop.number());
    boolean lost = !host.world().isCalm() && host.random().nextInt(3) == 0;
    if (!lost) {
      host.confirm(path, new Hop(CONFIRMED, id, 0));
    }
  }

  private void result(Result result) {
    Outcome outcome = relay.result(result, host.nanoTime());
    if (underWay != null && outcome instanceof Outcome.Posted) {
      loop.direct().committed(underWay.turns(), result);
    } else if (underWay != null && outcome instanceof Outcome.Failed) {
      loop.direct().notCommitted(underWay.turns());
    }
    deliver();
    if (over) {
      giveUp();
      return;
    } else if (outcome instanceof Outcome.Failed || outcome instanceof Outcome.NotRelayed) {
      if (underWay != null) {
        loop.notCommitted(underWay, new IllegalStateException(result.toString()));
      }
      fail();
      return;
    } else if (result instanceof Result.Full && takesBack()) {
      run();
    } else if (outcome instanceof Outcome.Relayed) {
      loop.relayed();
    } else if (outcome instanceof Outcome.Posted) {
      underWay = null;
      units.committed(posted);
      if (loop.committed(posted) != null) {
        fail();
        return;
      }
      run();
    }
    dispatch();
  }
}
