package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import java.util.concurrent.CountDownLatch;

/** Actors of the tests of scheduling zones, and their latches. */
final class ZoneActors {
  private ZoneActors() {}

  static ActorOptions in(String zone) {
    return new ActorOptions().zone(zone).onBus(false);
  }

  record Go(int number) {}

  record Went(int number) {}

  /** Actor that answers with the number of the message. */
  static final class Answering extends Actor<Go> {
    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(Go.class, go -> reply(new Went(go.number())));
    }
  }

  /** Actor that blocks its thread until the latch is open. */
  static final class Blocking extends Actor<Go> {
    private final CountDownLatch begun;
    private final CountDownLatch open;

    Blocking(CountDownLatch begun, CountDownLatch open) {
      this.begun = begun;
      this.open = open;
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            begun.countDown();
            opened(open);
          });
    }
  }

  /** Blocks until the latch is open, for at most 20 s. */
  static void opened(CountDownLatch latch) {
    Waits.opened(latch);
  }
}
