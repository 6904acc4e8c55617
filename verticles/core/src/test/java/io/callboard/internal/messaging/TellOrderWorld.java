package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.commit.GroupCommit.Consequences;
import io.callboard.internal.commit.GroupCommit.Step;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.turn.BypassMessage;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Limits;
import io.callboard.store.MailboxHeader;
import io.callboard.store.Session;
import io.callboard.store.StoreException;
import io.callboard.store.WhenFull;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One seeded world of {@link TellOrderTest}: the real {@link TellSequencer}, {@link
 * MailboxAppender} and {@link GroupCommit} between tells and small mailboxes, with a blob log that
 * writes in any order and receivers that sometimes take messages past their mailbox.
 */
final class TellOrderWorld implements MailboxAppender.Node, TellSequencer.Bodies {
  private static final int STEPS = 150;
  private static final int CAPACITY = 4;
  private static final long PATIENCE = 60;
  private static final byte[] SMALL = {'{', '}'};
  private static final byte[] LARGE = new byte[Limits.INLINE_BYTES + 1];
  private static final BlobRef BLOB = new BlobRef("b1", LARGE.length, 1, "00000000");

  /** Rules that keep the order. */
  record Rules(boolean sequence, boolean askFirst) {
    static final Rules ALL = new Rules(true, true);
  }

  private record Task(long due, long number, Runnable run) {}

  private record Body(Promise<Envelope> written, Envelope envelope) {}

  private final long seed;
  private final Rules rules;
  private final SplittableRandom random;
  private final GroupCommit machine = new GroupCommit(new Session(64, 1, 0), 3);
  private final TellSequencer sequencer = new TellSequencer(this);
  private final MailboxAppender appender = new MailboxAppender(this);
  private final Map<ActorPath, Receiver> receivers = new LinkedHashMap<>();
  private final Deque<Commit> wire = new ArrayDeque<>();
  private final Deque<Commit> underWay = new ArrayDeque<>();
  private final Map<Commit, CommitOutcome> replies = new HashMap<>();
  private final List<Body> bodies = new ArrayList<>();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));
  private long now;
  private long scheduled;
  private long number;

  TellOrderWorld(long seed, Rules rules) {
    this.seed = seed;
    this.rules = rules;
    this.random = new SplittableRandom(seed);
    for (String path : List.of("/a", "/b")) {
      Receiver receiver = new Receiver(ActorPath.of(path));
      receivers.put(receiver.path, receiver);
    }
  }

  /** A durable actor: its mailbox in the store, and what it has taken past it. */
  private final class Receiver implements BypassTarget {
    private final ActorPath path;
    private final MailboxBypass.Outlet outlet;
    private final Deque<BypassMessage> taken = new ArrayDeque<>();
    private final List<Integer> arrived = new ArrayList<>();
    private final Map<Integer, Future<Void>> tells = new LinkedHashMap<>();
    private int inMailbox;
    private boolean holds;
    private @Nullable Promise<Void> start;

    Receiver(ActorPath path) {
      this.path = path;
      MailboxHeader header = new MailboxHeader(false, 100, WhenFull.WAIT);
      TurnLoop loop =
          new TurnLoop("a", 3, DeliveryMode.EXACTLY_ONCE, header, () -> now, lost -> {});
      this.outlet = appender.outlet(path, loop.direct(), () -> {});
    }

    @Override
    public Optional<Future<Void>> starts(ActorPath receiver) {
      if (start == null && taken.isEmpty() && random.nextInt(4) == 0) { // it was passive
        start = Promise.promise();
      }
      return Optional.ofNullable(start).map(Promise::future);
    }

    /** Ends a start, if one is under way. */
    void started() {
      Promise<Void> ended = start;
      start = null;
      if (ended != null) {
        ended.complete();
      }
    }

    @Override
    public boolean handles(Append message, boolean room) {
      boolean plain = message.envelope().blob() == null;
      if (start != null) {
        return false;
      }
      if (room && plain && !holds && inMailbox == 0 && random.nextInt(4) > 0) {
        taken.addLast(new BypassMessage(message));
        outlet.taken();
        return true;
      }
      giveUp();
      return false;
    }

    /** Puts the messages that were taken into the mailbox, at once or later. */
    void giveUp() {
      if (!holds && !taken.isEmpty()) {
        holds = true;
        outlet.hold();
        if (random.nextBoolean()) {
          release();
        }
      }
    }

    void release() {
      if (holds) {
        holds = false;
        List<BypassMessage> all = List.copyOf(taken);
        taken.clear();
        outlet.release(all);
      }
    }

    /** A turn's commit: the first of what was taken. */
    void commit() {
      if (!taken.isEmpty() && !holds) {
        BypassMessage first = taken.removeFirst();
        arrived.add(number(first.append().envelope()));
        outlet.ended(first, new Result.Committed());
      }
    }

    void tell() {
      int next = tells.size() + 1;
      boolean large = random.nextInt(4) == 0;
      Envelope envelope =
          new Envelope(
              new MessageId("edge", next), new MessageType("m", 1), large ? LARGE : SMALL, null);
      long until = now + (random.nextInt(3) == 0 ? PATIENCE : Long.MAX_VALUE / 2);
      Promise<Void> done = Promise.promise();
      tells.put(next, done.future());
      Future<Envelope> turn =
          rules.sequence() ? sequencer.pass(path, envelope) : write(path, envelope);
      turn.onSuccess(stored -> send(new Append(path, stored, until, done)))
          .onFailure(done::tryFail);
    }

    private void send(Append append) {
      if (rules.askFirst() || !handles(append, true)) {
        appender.send(append, this);
      }
    }

    void check() {
      assertThat(arrived).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
      tells.forEach(
          (tell, done) -> {
            assertThat(done.isComplete()).as("tell %d ended, seed %d", tell, seed).isTrue();
            assertThat(done.succeeded())
                .as("tell %d, seed %d: %s", tell, seed, done.cause())
                .isEqualTo(arrived.contains(tell));
            assertThat(done.succeeded() || done.cause() instanceof CallboardException)
                .as("cause of tell %d, seed %d: %s", tell, seed, done.cause())
                .isTrue();
          });
    }
  }

  private static int number(Envelope envelope) {
    return (int) envelope.id().number();
  }

  void run() {
    for (int step = 0; step < STEPS; step++) {
      act(random.nextInt(12));
    }
    for (int step = 0; !isAtRest(); step++) {
      assertThat(step).as("it comes to rest, seed %d", seed).isLessThan(20_000);
      act(3 + step % 9);
    }
    receivers.values().forEach(Receiver::check);
  }

  private boolean isAtRest() {
    return receivers.values().stream()
        .flatMap(receiver -> receiver.tells.values().stream())
        .allMatch(Future::isComplete);
  }

  private void act(int choice) {
    now++;
    Receiver receiver = List.copyOf(receivers.values()).get(random.nextInt(receivers.size()));
    switch (choice) {
      case 0, 1, 2 -> receiver.tell();
      case 3 -> writeBody();
      case 4 -> drive();
      case 5 -> arrive();
      case 6 -> reply();
      case 7 -> receiver.commit();
      case 8 -> receiver.giveUp();
      case 9 -> {
        receiver.release();
        receiver.started();
      }
      case 10 -> receiver.inMailbox = Math.max(0, receiver.inMailbox - 1 - random.nextInt(3));
      default -> runTasks();
    }
  }

  private void runTasks() {
    while (!tasks.isEmpty() && tasks.peek().due() <= now) {
      tasks.remove().run().run();
    }
  }

  private void writeBody() {
    if (bodies.isEmpty()) {
      return;
    }
    Body body = bodies.remove(random.nextInt(bodies.size()));
    if (random.nextInt(8) == 0) {
      body.written().fail(StoreException.denied("no access", new IllegalStateException()));
    } else {
      body.written().complete(body.envelope().in(BLOB));
    }
  }

  // The store.

  private void drive() {
    for (Step step = machine.next(); step instanceof Step.Send send; step = machine.next()) {
      wire.addLast(send.commit());
      underWay.addLast(send.commit());
    }
  }

  private void arrive() {
    Commit commit = wire.pollFirst();
    if (commit != null) {
      replies.put(commit, serve(commit));
    }
  }

  private CommitOutcome serve(Commit commit) {
    if (commit.number() != number + 1) {
      return new CommitOutcome.Refused(-1, Reason.AGAIN, "");
    }
    for (int unit = 0; unit < commit.units().size(); unit++) {
      ActorPath to = receiver(commit.units().get(unit));
      if (receivers.get(to).inMailbox >= CAPACITY) {
        return new CommitOutcome.Refused(unit, Reason.FULL, to.toString(), WhenFull.WAIT);
      }
    }
    number = commit.number();
    for (CommitUnit unit : commit.units()) {
      Receiver receiver = receivers.get(receiver(unit));
      receiver.inMailbox++;
      receiver.arrived.add(number(unit.outgoing().get(receiver.path).get(0)));
    }
    return new CommitOutcome.Applied(Map.of());
  }

  private static ActorPath receiver(CommitUnit unit) {
    return unit.outgoing().keySet().iterator().next();
  }

  private void reply() {
    Commit first = underWay.peekFirst();
    if (first != null && replies.containsKey(first)) {
      underWay.removeFirst();
      Consequences consequences = machine.outcome(first, replies.remove(first));
      consequences.resolved().forEach(each -> each.pending().done().accept(each.result()));
    }
  }

  // What the appender and the sequencer need.

  @Override
  public void submit(PendingUnit pendingUnit) {
    machine.submit(pendingUnit);
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public long pauseNanos(int failures) {
    return 1 + random.nextInt(20);
  }

  @Override
  public Time.Alarm later(long nanos, Runnable run) {
    Task task = new Task(now + Math.min(nanos, PATIENCE), ++scheduled, run);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  @Override
  public void sent() {}

  @Override
  public long unwritten() {
    return (long) bodies.size() * LARGE.length;
  }

  @Override
  public Future<Envelope> write(ActorPath to, Envelope envelope) {
    if (envelope.body().length <= Limits.INLINE_BYTES) {
      return Future.succeededFuture(envelope);
    }
    Body body = new Body(Promise.promise(), envelope);
    bodies.add(body);
    return body.written().future();
  }

  @Override
  public void forsake(ActorPath to, Envelope envelope) {}
}
