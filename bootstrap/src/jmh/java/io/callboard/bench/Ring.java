package io.callboard.bench;

import io.callboard.bench.Signal.Hop;
import io.callboard.bench.Troupe.Mouth;
import io.callboard.bench.Troupe.Target;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Actors in a ring that pass tokens on. */
final class Ring implements Load {
  /** Hops of a token that are counted at once. */
  private static final int COUNTED = 16;

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final int tokens;
  private final Target[] players;
  private final LongAdder hops = new LongAdder();
  private final LongAdder retired = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private long starts;
  private volatile boolean running;

  /**
   * @param tokens spread evenly at the start
   */
  Ring(Troupe troupe, int size, int tokens) throws Exception {
    this.tokens = tokens;
    players = new Target[size];
    for (int i = 0; i < size; i++) {
      int place = i;
      players[i] = troupe.start((signal, here) -> pass(place, (Hop) signal, here));
    }
  }

  private void pass(int place, Hop hop, Mouth here) {
    if (hop.to() != place) {
      wrong.increment();
    }
    if (!running) {
      retired.increment();
      return;
    }
    if (hop.number() % COUNTED == COUNTED - 1) {
      hops.add(COUNTED);
    }
    int next = place + 1 == players.length ? 0 : place + 1;
    here.tell(players[next], new Hop(next, hop.number() + 1));
  }

  @Override
  public void start() {
    running = true;
    starts++;
    for (int i = 0; i < tokens; i++) {
      int place = i * (players.length / tokens);
      players[place].tell(new Hop(place, 0));
    }
  }

  @Override
  public long done() {
    return hops.sum();
  }

  @Override
  public void stop() throws Exception {
    running = false;
    long expected = starts * tokens;
    Load.await("every token retired", LIMIT, () -> retired.sum() == expected);
    if (wrong.sum() > 0) {
      throw new IllegalStateException(wrong + " tokens came to the wrong actor");
    }
  }
}
