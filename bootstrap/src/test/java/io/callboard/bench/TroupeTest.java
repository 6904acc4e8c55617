package io.callboard.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bench.Signal.Item;
import io.callboard.bench.Troupe.Handler;
import io.callboard.bench.Troupe.Target;
import io.callboard.testkit.Waits;
import io.callboard.zone.ZoneDefaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TroupeTest {
  private static final Duration MOMENT = Duration.ofMillis(50);
  private static final long CHOSEN = 1_000;

  /** Number of deliveries of the chosen item. */
  private interface Fault {
    int times();
  }

  /** Troupe that handles on the sender's thread, and one item in its own way. */
  private record Direct(Fault fault, CountDownLatch met) implements Troupe {
    @Override
    public Target start(Handler handler) {
      return signal -> {
        boolean chosen = ((Item) signal).number() == CHOSEN;
        if (chosen) {
          met.countDown();
        }
        for (int i = chosen ? fault.times() : 1; i > 0; i--) {
          handler.handle(signal, Target::tell);
        }
      };
    }

    @Override
    public void close() {}
  }

  private static void flood(Fault fault) throws Exception {
    CountDownLatch met = new CountDownLatch(1);
    Load load = new Flood(new Direct(fault, met), 1, 1_024);
    load.start();
    Waits.opened(met);
    load.stop();
    assertThat(load.done()).isGreaterThan(CHOSEN);
  }

  @Test
  void aMessageThatIsLostOrDoubledIsFound() throws Exception {
    flood(() -> 1);
    assertThatThrownBy(() -> flood(() -> 0)).hasMessageContaining("not those expected");
    assertThatThrownBy(() -> flood(() -> 2)).hasMessageContaining("not those expected");
  }

  @Test
  void aSenderThatFailsIsToldWithItsCause() {
    assertThatThrownBy(
            () ->
                flood(
                    () -> {
                      throw new IllegalArgumentException("no more");
                    }))
        .hasMessage("a sender failed")
        .hasRootCauseMessage("no more");
  }

  @Test
  void everyContenderRunsEveryLoad() throws Exception {
    try (Node node = Node.inMemory();
        Troupe pekko = new PekkoTroupe()) {
      for (Troupe troupe :
          List.of(
              new OurTroupe(node, ZoneDefaults.DEFAULT),
              pekko,
              new BusTroupe(node.vertx()),
              new QueueTroupe(node.vertx()))) {
        for (Load load :
            List.of(
                new Flood(troupe, 1, 1_024),
                new Flood(troupe, 4, 1_024),
                new Bursts(troupe, 200),
                new Ring(troupe, 10, 2))) {
          assertThat(load.rate(MOMENT)).as("%s by %s", load, troupe).isPositive();
        }
      }
    }
  }
}
