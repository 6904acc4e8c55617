package io.callboard.bench;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.bench.Case.Better;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Row of the latency of one message when nothing else happens: from {@code tell}, by plain code,
 * until the durable actor's handler runs, and until the turn is committed. The next message is told
 * after that. Peers on the same server: one synchronous create, and the plain multis that hold the
 * same operations.
 */
final class IdleLatency implements Row {
  private static final String OURS = "ours";
  private static final String CREATE = "one synchronous create";
  private static final String MULTIS = "raw, the same multis";
  private static final double[] PARTS = {0.5, 0.99};
  private static final long LIMIT_SECONDS = 30;

  @Override
  public String name() {
    return "idle-latency";
  }

  @Override
  public String about() {
    return "tell to handled and to committed, one message at a time; peers: one synchronous create, raw multis";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Servers three = Servers.three(stage)) {
      try (Servers one = Servers.here(stage)) {
        for (int bytes : stage.sizes()) {
          cases.addAll(measure(stage, one, "one server", bytes));
        }
      }
      cases.addAll(measure(stage, three, "three servers", stage.sizes().get(0)));
    }
    return cases;
  }

  private static List<Case> measure(Stage stage, Servers servers, String where, int bytes)
      throws Exception {
    try (Node node = Node.alone(servers.connectString());
        RawZooKeeper raw = RawZooKeeper.connect(servers.connectString())) {
      Target target = new Target(node, "/target-%d".formatted(bytes), bytes);
      RawZooKeeper.Turns turns = raw.turns(bytes);
      Rounds rounds =
          new Rounds(stage)
              .with(OURS, warmup -> target.tells(stage.time(warmup)))
              .with(CREATE, warmup -> figures(raw.creates(bytes, stage.time(warmup))))
              .with(MULTIS, warmup -> figures(turns.asked(stage.time(warmup))))
              .play();
      List<Case> cases = new ArrayList<>();
      String[] ends = {"handled", "committed"};
      String[] parts = {"p50", "p99"};
      for (int i = 0; i < ends.length * parts.length; i++) {
        String name =
            "%s, tell → %s, %s, %s".formatted(where, ends[i / 2], parts[i % 2], Stage.label(bytes));
        Map<String, Measurement> peers = new LinkedHashMap<>();
        peers.put(CREATE, rounds.of(CREATE, i % 2));
        peers.put(MULTIS, rounds.of(MULTIS, i));
        cases.add(new Case(name, "µs", Better.LOWER, rounds.of(OURS, i), peers));
      }
      return cases;
    }
  }

  private static double[] figures(Latencies... all) {
    double[] figures = new double[all.length * PARTS.length];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = all[i / PARTS.length].micros(PARTS[i % PARTS.length]);
    }
    return figures;
  }

  /** A durable actor that notes when it handles a message and when that is committed. */
  private static final class Target {
    private final ActorRef<Note> actor;
    private final String body;
    private final Semaphore committed = new Semaphore(0);
    private volatile long handledAt;
    private volatile long committedAt;

    /** The message. */
    record Note(String body) {}

    /** The state. */
    record Notes(long count) {}

    Target(Node node, String path, int bytes) throws Exception {
      actor = node.spawn(path, Taker::new);
      body = "x".repeat(bytes);
    }

    /** Percentiles until handled, then until committed. */
    double[] tells(Duration window) throws Exception {
      Latencies untilHandled = new Latencies();
      Latencies untilCommitted = new Latencies();
      long end = System.nanoTime() + window.toNanos();
      while (System.nanoTime() < end) {
        long told = System.nanoTime();
        var accepted = actor.tell(new Note(body));
        if (!committed.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          throw new TimeoutException("a message was not handled; its tell: " + accepted);
        }
        untilHandled.add(handledAt - told);
        untilCommitted.add(committedAt - told);
      }
      return figures(untilHandled, untilCommitted);
    }

    private final class Taker extends DurableStateActor<Note, Notes> {
      @Override
      protected Notes initial() {
        return new Notes(0);
      }

      @Override
      protected void protocol(Protocol<Note> on) {
        on.message(Note.class, note -> take());
      }

      private void take() {
        handledAt = System.nanoTime();
        update(new Notes(state().count() + 1));
        afterCommit(
            () -> {
              committedAt = System.nanoTime();
              committed.release();
            });
      }
    }
  }
}
