package io.callboard.bench;

import io.callboard.bench.Signal.Item;
import io.callboard.bench.Signal.More;
import io.callboard.bench.Troupe.Mouth;
import io.callboard.bench.Troupe.Target;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Load of bursts from one actor to another; the receiver allows the next burst when it has the last
 * message of one.
 */
final class Bursts implements Load {
  private static final int BURST = 100;
  private static final int SOURCE = 0;
  private static final int SINK = 1;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final int bursts;
  private final Tally tally = new Tally(1);
  private final LongAdder retired = new LongAdder();
  private final Target[] pair = new Target[2];
  private long number;
  private long starts;
  private volatile boolean running;

  /**
   * @param underWay messages under way at most
   */
  Bursts(Troupe troupe, int underWay) throws Exception {
    bursts = underWay / BURST;
    pair[SOURCE] = troupe.start((signal, here) -> more(here));
    pair[SINK] = troupe.start((signal, here) -> take((Item) signal, here));
  }

  private void more(Mouth here) {
    if (!running) {
      retired.increment();
      return;
    }
    for (int i = 1; i <= BURST; i++) {
      here.tell(pair[SINK], new Item(0, number++, i == BURST));
    }
  }

  private void take(Item item, Mouth here) {
    tally.take(item);
    if (item.endsBurst()) {
      here.tell(pair[SOURCE], new More());
    }
  }

  @Override
  public void start() {
    running = true;
    starts++;
    for (int i = 0; i < bursts; i++) {
      pair[SOURCE].tell(new More());
    }
  }

  @Override
  public long done() {
    return tally.taken();
  }

  @Override
  public void stop() throws Exception {
    running = false;
    long expected = starts * bursts;
    Load.await("every burst taken", LIMIT, () -> retired.sum() == expected);
    tally.check();
    if (tally.taken() != number) {
      throw new IllegalStateException(
          "%d messages sent, %d taken".formatted(number, tally.taken()));
    }
  }
}
