package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.bench.RemoteTell.Event.Acknowledged;
import io.callboard.bench.RemoteTell.Event.Begin;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** A volatile actor here that tells bursts to one on another node, which acknowledges them. */
final class RemoteTell {
  private static final String SOURCE = "/bench/source";
  private static final String SINK = "/bench/sink";
  private static final int BURSTS = 20;
  private static final int BURST = 100;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Node node;
  private final ActorRef<Event> source;
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder retired = new LongAdder();
  private long starts;
  private volatile boolean running;

  /** Message to the sink; the last of a burst is acknowledged. */
  record Packet(long number, boolean endsBurst, String body) {}

  /** Message to the source. */
  sealed interface Event {
    /** Start with the number and size of the bursts that may be under way. */
    record Begin(int bursts, int bytes) implements Event {}

    /**
     * Permission for one more burst.
     *
     * @param wrong number of packets that came out of order so far
     */
    record Acknowledged(long wrong) implements Event {}
  }

  RemoteTell(Node node) throws Exception {
    this.node = node;
    this.source = node.spawn(SOURCE, Source::new);
  }

  /** Starts the sink, at the other end. */
  static void receive(Node node) throws Exception {
    var unused = node.spawn(SINK, Sink::new);
  }

  /** Waits until the other end can be reached; a packet numbered -1 is answered. */
  void meet() throws Exception {
    ActorRef<Packet> sink = node.callboard().ref(SINK, Packet.class);
    Packet hello = new Packet(-1, false, "");
    Load.await(
        "the sink",
        LIMIT,
        () -> {
          Future<Acknowledged> answer = sink.ask(hello, Acknowledged.class, Duration.ofSeconds(2));
          try {
            return Node.await(answer) != null;
          } catch (Exception e) {
            return false; // not known here yet
          }
        });
  }

  private final class Source extends Actor<Event> {
    private long number;
    private String body = "";

    @Override
    protected void protocol(Protocol<Event> on) {
      on.message(Begin.class, this::begin).message(Acknowledged.class, this::acknowledged);
    }

    private void begin(Begin begin) {
      body = "x".repeat(begin.bytes());
      for (int i = 0; i < begin.bursts(); i++) {
        burst();
      }
    }

    private void acknowledged(Acknowledged burst) {
      acknowledged.add(BURST);
      wrong.add(burst.wrong());
      if (running) {
        burst();
      } else {
        retired.increment();
      }
    }

    private void burst() {
      ActorRef<Packet> sink = callboard().ref(SINK, Packet.class);
      for (int i = 0; i < BURST; i++) {
        tell(sink, new Packet(number++, i == BURST - 1, body));
      }
    }
  }

  private static final class Sink extends Actor<Packet> {
    private long next;
    private long wrong;

    @Override
    protected void protocol(Protocol<Packet> on) {
      on.message(Packet.class, this::take);
    }

    private void take(Packet packet) {
      if (packet.number() < 0) {
        reply(new Acknowledged(0));
        return;
      }
      if (packet.number() != next) {
        wrong++;
      }
      next = packet.number() + 1;
      if (packet.endsBurst()) {
        tell(callboard().ref(SOURCE, Event.class), new Acknowledged(wrong));
      }
    }
  }

  Load load(int bytes) {
    return new Load() {
      @Override
      public void start() throws Exception {
        running = true;
        starts++;
        Node.await(source.tell(new Begin(BURSTS, bytes)));
      }

      @Override
      public long done() {
        return acknowledged.sum();
      }

      @Override
      public void stop() throws Exception {
        running = false;
        long expected = starts * BURSTS;
        Load.await("every burst acknowledged", LIMIT, () -> retired.sum() == expected);
        if (wrong.sum() > 0) {
          throw new IllegalStateException("packets were lost or came out of order");
        }
      }
    };
  }
}
