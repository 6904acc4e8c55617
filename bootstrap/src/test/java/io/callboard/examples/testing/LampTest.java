package io.callboard.examples.testing;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.examples.testing.LampTest.Lamp.Off;
import io.callboard.examples.testing.LampTest.Lamp.On;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Probe;
import io.callboard.testkit.Probes;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Actors in a node of the test, by a time that the test moves. */
@ExtendWith(CallboardExtension.class)
class LampTest {
  sealed interface Lamp {
    record On() implements Lamp {}

    record Off() implements Lamp {}
  }

  record Light(boolean on) {}

  /** Actor that notifies the wall when it is lit, and switches itself off after five minutes. */
  static final class StairLamp extends Actor<Lamp> {
    private static final Logger log = LoggerFactory.getLogger(StairLamp.class);

    private final ActorRef<Light> wall;

    StairLamp(ActorRef<Light> wall) {
      this.wall = wall;
    }

    @Override
    protected void protocol(Protocol<Lamp> on) {
      on.message(
              On.class,
              lit -> {
                tell(wall, new Light(true));
                startTimer("off", Duration.ofMinutes(5), new Off());
              })
          .message(
              Off.class,
              off -> {
                log.info("it is dark at {}", path());
                tell(wall, new Light(false));
              });
    }
  }

  @Test
  void isOffAfterFiveMinutes(Callboard callboard, Probes probes, ManualTime time) {
    Probe<Light> wall = probes.probe(Light.class);
    ActorRef<Lamp> lamp = callboard.spawn("/lamp", () -> new StairLamp(wall.ref())).await();
    lamp.tell(new On()).await();
    wall.expectMessage(new Light(true));
    time.advance(Duration.ofMinutes(4));
    wall.expectNoMessage();
    time.advance(Duration.ofMinutes(1));
    wall.expectMessage(new Light(false));
  }

  @Test
  void saysThatItIsDark(Callboard callboard, Probes probes) {
    Probe<Light> wall = probes.probe(Light.class);
    ActorRef<Lamp> lamp = callboard.spawn("/lamp", () -> new StairLamp(wall.ref())).await();
    try (LogCapture log = LogCapture.of(StairLamp.class)) {
      lamp.tell(new Off()).await();
      log.expect(Level.INFO, "dark at /lamp");
    }
  }

  @Test
  void endsWhenItIsTold(Callboard callboard, Probes probes) {
    Probe<Light> wall = probes.probe(Light.class);
    ActorRef<Lamp> lamp = callboard.spawn("/lamp", () -> new StairLamp(wall.ref())).await();
    callboard.stop("/lamp").await();
    wall.expectTerminated(lamp);
  }
}
