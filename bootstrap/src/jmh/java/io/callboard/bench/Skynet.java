package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The well-known tree: each actor spawns ten, the leaves tell their number to their parent and
 * stop, a parent tells the sum and stops.
 */
final class Skynet {
  static final int CHILDREN = 10;
  static final Duration LIMIT = Duration.ofMinutes(5);

  private final Callboard callboard;
  private final ActorOptions options = new ActorOptions().onBus(false);
  private final LongAdder stopped = new LongAdder();
  private CompletableFuture<Long> total = new CompletableFuture<>();
  private int rounds;

  /** Result of a child. */
  record Sum(long value) {}

  Skynet(Node node) {
    callboard = node.callboard();
  }

  /** Milliseconds until the sum of all is known; returns when all have stopped. */
  double millis(int leaves) throws Exception {
    stopped.reset();
    total = new CompletableFuture<>();
    long begun = System.nanoTime();
    callboard
        .spawn("/skynet-" + rounds++, () -> new Branch(null, 0, leaves), options)
        .onFailure(total::completeExceptionally);
    long sum = total.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    double millis = (System.nanoTime() - begun) / 1e6;
    check(sum, leaves);
    Load.await("every actor stopped", LIMIT, () -> stopped.sum() == actors(leaves));
    return millis;
  }

  /**
   * @throws IllegalStateException if that is not what the leaves' numbers add up to
   */
  static void check(long sum, int leaves) {
    long expected = (long) leaves * (leaves - 1) / 2;
    if (sum != expected) {
      throw new IllegalStateException("%d was summed up, not %d".formatted(sum, expected));
    }
  }

  private static long actors(int leaves) {
    return leaves == 1 ? 1 : leaves + actors(leaves / CHILDREN);
  }

  private final class Branch extends Actor<Sum> {
    private final @Nullable ActorRef<Sum> parent;
    private final long first;
    private final int leaves;
    private long sum;
    private int told;

    Branch(@Nullable ActorRef<Sum> parent, long first, int leaves) {
      this.parent = parent;
      this.first = first;
      this.leaves = leaves;
    }

    @Override
    protected void protocol(Protocol<Sum> on) {
      on.message(Sum.class, this::add);
    }

    @Override
    protected Future<?> started() {
      if (leaves == 1) {
        end(first);
      }
      ActorRef<Sum> self = self();
      int each = leaves / CHILDREN;
      for (int i = 0; i < CHILDREN && each > 0; i++) {
        long from = first + (long) i * each;
        spawnChild("child-" + i, () -> new Branch(self, from, each), options)
            .onFailure(this::notStarted);
      }
      return super.started();
    }

    /**
     * Handles a failed start; a parent that knows the sum stops, though a leaf may not have ended
     * its start.
     */
    private void notStarted(Throwable cause) {
      if (!(cause instanceof CallboardException ours && ours.code() == Code.STOPPED)) {
        total.completeExceptionally(cause);
      }
    }

    private void add(Sum child) {
      sum += child.value();
      told++;
      if (told == CHILDREN) {
        end(sum);
      }
    }

    private void end(long value) {
      if (parent == null) {
        total.complete(value);
      } else {
        tell(parent, new Sum(value));
      }
      stopSelf();
    }

    @Override
    protected Future<?> stopped() {
      stopped.increment();
      return super.stopped();
    }
  }
}
