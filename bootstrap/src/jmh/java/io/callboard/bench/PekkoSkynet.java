package io.callboard.bench;

import io.callboard.bench.Skynet.Sum;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Peer: the same tree of Pekko's typed actors, without names. */
final class PekkoSkynet {
  private final Pekko pekko;

  PekkoSkynet(Pekko pekko) {
    this.pekko = pekko;
  }

  /** Measures one round; see {@link Skynet#millis}. */
  double millis(int leaves) throws Exception {
    CompletableFuture<Long> total = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    long begun = System.nanoTime();
    var unused = pekko.spawn(branch(total::complete, 0, leaves), ended);
    long sum = total.get(Skynet.LIMIT.toSeconds(), TimeUnit.SECONDS);
    double millis = (System.nanoTime() - begun) / 1e6;
    Skynet.check(sum, leaves);
    ended.get(Skynet.LIMIT.toSeconds(), TimeUnit.SECONDS);
    return millis;
  }

  private static Behavior<Sum> branch(LongConsumer parent, long first, int leaves) {
    return Behaviors.setup(
        context -> {
          if (leaves == 1) {
            parent.accept(first);
            return Behaviors.stopped();
          }
          ActorRef<Sum> self = context.getSelf();
          int each = leaves / Skynet.CHILDREN;
          for (int i = 0; i < Skynet.CHILDREN; i++) {
            var unused =
                context.spawnAnonymous(
                    branch(sum -> self.tell(new Sum(sum)), first + (long) i * each, each));
          }
          return new Adding(parent).behavior();
        });
  }

  /** State of a parent. */
  private static final class Adding {
    private final LongConsumer parent;
    private long sum;
    private int told;

    Adding(LongConsumer parent) {
      this.parent = parent;
    }

    Behavior<Sum> behavior() {
      return Behaviors.receiveMessage(this::add);
    }

    private Behavior<Sum> add(Sum child) {
      sum += child.value();
      told++;
      if (told < Skynet.CHILDREN) {
        return Behaviors.same();
      }
      parent.accept(sum);
      return Behaviors.stopped();
    }
  }
}
