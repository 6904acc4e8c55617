package io.callboard.bench;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Typed actors of Pekko, on its default dispatcher. */
final class PekkoTroupe implements Troupe {
  private final Pekko pekko = new Pekko();

  @Override
  public Target start(Handler handler) throws Exception {
    ActorRef<Signal> actor =
        pekko.spawn(
            Behaviors.receiveMessage(
                signal -> {
                  handler.handle(signal, Target::tell);
                  return Behaviors.same();
                }));
    return actor::tell;
  }

  @Override
  public void close() {
    pekko.close();
  }
}
