package io.callboard.bench;

import io.callboard.bench.Signal.More;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Peer: actors of Pekko typed, spawned without names by their parent. */
final class PekkoCrowd extends Crowd {
  private final Pekko pekko;
  private final Behavior<More> idler =
      Behaviors.setup(
          context -> {
            hasStarted();
            return Behaviors.receiveMessage(more -> Behaviors.same());
          });
  private CompletableFuture<Boolean> ended = CompletableFuture.completedFuture(true);
  private @Nullable ActorRef<More> parent;

  PekkoCrowd(Pekko pekko) {
    this.pekko = pekko;
  }

  @Override
  void spawn(int count) throws Exception {
    ended = new CompletableFuture<>();
    parent = pekko.spawn(parentOf(count), ended);
  }

  /** Returns a behavior that stops at any message. */
  private Behavior<More> parentOf(int count) {
    return Behaviors.setup(
        context -> {
          for (int i = 0; i < count; i++) {
            var unused = context.spawnAnonymous(idler);
          }
          return Behaviors.receiveMessage(more -> Behaviors.stopped());
        });
  }

  @Override
  void disperse() throws Exception {
    if (parent != null) {
      parent.tell(new More());
    }
    ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }
}
