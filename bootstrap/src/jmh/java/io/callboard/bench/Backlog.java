package io.callboard.bench;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.bench.Case.Better;
import io.callboard.bench.Mail.Item;
import io.callboard.bench.Mail.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A million messages queued for actors that do not run yet, then drained. The server is a JVM of
 * its own, so that its heap can be told from ours. One run.
 */
final class Backlog {
  private static final int MAILBOXES = 10;
  private static final int PART = 100_000;
  private static final int BURST = 100;
  private static final int BYTES = 100;
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private final int messages;
  private final String body = "x".repeat(BYTES);
  private final LongAdder filled = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final AtomicLong drained = new AtomicLong();
  private final long[] partAt;

  /** Request to a filler to continue. */
  record More() {}

  Backlog(int messages) {
    this.messages = messages;
    this.partAt = new long[messages / PART];
  }

  List<Case> measure(Stage stage) throws Exception {
    String directory = stage.directory("backlog").toString();
    try (Child server = Child.start(Servers.Single.class, List.of("-Xmx4g"), directory);
        Node node = Node.alone(server.expect("ready"))) {
      return measure(server, node);
    }
  }

  private List<Case> measure(Child server, Node node) throws Exception {
    long serverBefore = heap(server);
    long ourBefore = Heap.used();
    List<ActorRef<More>> fillers = new ArrayList<>();
    for (int i = 0; i < MAILBOXES; i++) {
      String to = receiver(i);
      fillers.add(node.spawn("/backlog/filler-" + i, () -> new Filler(to)));
    }
    spawnDrains(node);
    for (int i = 0; i < MAILBOXES; i++) {
      Node.await(node.callboard().stop(receiver(i)));
    }
    long begun = System.nanoTime();
    for (ActorRef<More> filler : fillers) {
      Node.await(filler.tell(new More()));
    }
    Load.await("the backlog", LIMIT, () -> filled.sum() == messages);
    double fillRate = rate(messages, System.nanoTime() - begun);
    Progress.say(
        "backlog of %d messages queued, %s/s".formatted(messages, Report.number(fillRate)));
    List<Case> cases = new ArrayList<>();
    String name = "backlog of %d messages, %s: ".formatted(messages, Stage.label(BYTES));
    cases.add(one(name + "queueing", "msg/s", Better.HIGHER, fillRate));
    cases.add(perMessage(name + "server heap", heap(server) - serverBefore));
    cases.add(perMessage(name + "client heap", Heap.used() - ourBefore));
    long drainBegun = drain(node);
    long last = drainBegun;
    for (int i = 0; i < partAt.length; i++) {
      String part = name + "draining message %d to %d".formatted(i * PART + 1, (i + 1) * PART);
      cases.add(one(part, "msg/s", Better.HIGHER, rate(PART, partAt[i] - last)));
      last = partAt[i];
    }
    cases.add(
        one(name + "draining all", "msg/s", Better.HIGHER, rate(messages, last - drainBegun)));
    return cases;
  }

  private long drain(Node node) throws Exception {
    long begun = System.nanoTime();
    spawnDrains(node);
    Load.await("the backlog drained", LIMIT, () -> drained.get() == messages);
    if (wrong.sum() > 0) {
      throw new IllegalStateException(wrong.sum() + " messages of the backlog out of order");
    }
    return begun;
  }

  /** Spawns the drains at the paths of stopped actors, which keep their mailboxes and limits. */
  private void spawnDrains(Node node) throws Exception {
    ActorOptions options = new ActorOptions().mailboxLimit(2 * messages / MAILBOXES);
    for (int i = 0; i < MAILBOXES; i++) {
      Node.await(node.callboard().spawn(receiver(i), () -> new Drain(), options));
    }
  }

  private static long heap(Child server) throws Exception {
    server.order("heap");
    return Long.parseLong(server.expect("heap"));
  }

  private static String receiver(int number) {
    return "/backlog/drain-" + number;
  }

  private static double rate(long count, long nanos) {
    return count * 1e9 / nanos;
  }

  private Case perMessage(String name, long bytes) {
    return one(name, "B/msg", Better.LOWER, (double) bytes / messages);
  }

  private static Case one(String name, String unit, Better better, double value) {
    return new Case(name, unit, better, Measurement.of(List.of(value)), Map.of());
  }

  /** Fills one mailbox, a burst a turn. */
  private final class Filler extends DurableStateActor<More, Next> {
    private final String receiver;

    Filler(String receiver) {
      this.receiver = receiver;
    }

    @Override
    protected Next initial() {
      return new Next(0);
    }

    @Override
    protected void protocol(Protocol<More> on) {
      on.message(More.class, more -> more());
    }

    private void more() {
      ActorRef<Item> to = callboard().durableRef(receiver, Item.class);
      long first = state().number();
      for (int i = 0; i < BURST; i++) {
        tell(to, new Item(first + i, i == BURST - 1, body));
      }
      update(new Next(first + BURST));
      if (first + BURST < messages / MAILBOXES) {
        tell(self(), new More());
      }
      afterCommit(() -> filled.add(BURST));
    }
  }

  /** Drains one mailbox. */
  private final class Drain extends DurableStateActor<Item, Next> {
    @Override
    protected Next initial() {
      return new Next(0);
    }

    @Override
    protected void protocol(Protocol<Item> on) {
      on.message(Item.class, this::item);
    }

    private void item(Item item) {
      if (item.number() != state().number()) {
        wrong.increment();
      }
      update(new Next(item.number() + 1));
      if (item.endsBurst()) {
        afterCommit(this::consumed);
      }
    }

    private void consumed() {
      long now = drained.addAndGet(BURST);
      if (now % PART == 0) {
        partAt[(int) (now / PART) - 1] = System.nanoTime();
      }
    }
  }
}
