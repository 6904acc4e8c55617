package io.callboard.bench;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.bench.Turner.Message.Again;
import io.callboard.bench.Turner.Message.Turn;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Durable actor that counts its turns, with loads that cause them. */
final class Turner {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final ActorRef<Message> actor;
  private final String body;
  private final int mostUnderWay;
  private final Semaphore room;
  private final AtomicLong done = new AtomicLong();
  private final LongAdder failed = new LongAdder();
  private volatile boolean running;
  private long asked;

  /** Message to the actor. */
  sealed interface Message {
    /** Answered with the {@link Count}. */
    record Turn(String body) implements Message {}

    /** Turn after which the actor tells itself the same message again. */
    record Again(String body) implements Message {}
  }

  /** The state, and an answer. */
  record Count(long turns) {}

  Turner(Node node, String path, int bytes, int mostUnderWay) throws Exception {
    this.body = "x".repeat(bytes);
    this.mostUnderWay = mostUnderWay;
    this.room = new Semaphore(mostUnderWay);
    this.actor = node.spawn(path, Worker::new);
  }

  private final class Worker extends DurableStateActor<Message, Count> {
    @Override
    protected Count initial() {
      return new Count(0);
    }

    @Override
    protected void protocol(Protocol<Message> on) {
      on.message(Turn.class, turn -> turn()).message(Again.class, this::again);
    }

    private void turn() {
      update(new Count(state().turns() + 1));
      reply(state());
      afterCommit(
          () -> {
            done.incrementAndGet();
            room.release();
          });
    }

    private void again(Again again) {
      if (running) {
        update(new Count(state().turns() + 1));
        tell(self(), again);
        afterCommit(done::incrementAndGet);
      } else {
        afterCommit(room::release);
      }
    }
  }

  /** Asks once and waits for the answer. */
  void ask() throws Exception {
    Count count = Node.await(actor.ask(new Turn(body), Count.class));
    if (count.turns() != ++asked) {
      throw new IllegalStateException("turn %d was answered %s".formatted(asked, count));
    }
  }

  /** Returns a load of an actor that keeps itself busy with one message, again and again. */
  Load tellingItself() {
    return new Busy() {
      @Override
      public void start() throws Exception {
        running = true;
        room.acquire();
        Node.await(actor.tell(new Again(body)));
      }
    };
  }

  /** Returns a load of tells by plain code, as many as may be under way. */
  Load told() {
    return new Busy() {
      @Override
      public void start() {
        running = true;
        Thread teller = new Thread(this::tellOn, "teller");
        teller.setDaemon(true);
        teller.start();
      }

      private void tellOn() {
        while (running) {
          room.acquireUninterruptibly();
          actor.tell(new Turn(body)).onFailure(cause -> failed.increment());
        }
      }
    };
  }

  /** Common part of both loads. */
  private abstract class Busy implements Load {
    @Override
    public long done() {
      return done.get();
    }

    @Override
    public void stop() throws Exception {
      running = false;
      Load.await(
          "every turn committed",
          LIMIT,
          () -> room.availablePermits() + failed.intValue() == mostUnderWay);
      if (failed.sum() > 0) {
        throw new IllegalStateException(failed.sum() + " messages were refused");
      }
    }
  }
}
