package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.reference.Wardrobe;
import io.callboard.examples.reference.Wardrobe.Command;
import io.callboard.examples.reference.Wardrobe.Event;
import io.callboard.examples.reference.Wardrobe.Lendings;
import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.callboard.testkit.compat.GoldenEvents;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WardrobeTest {
  private final TestedActor<Command> wardrobe = TestedActor.of(Wardrobe::new).start();

  @Test
  void returnedCoatsAreOneTurn() {
    wardrobe.tell(new Command.Lend("cloak", "Ada"));
    wardrobe.tell(new Command.Lend("crown", "Ada"));
    wardrobe.tell(new Command.Lend("crown", "Bob")); // it is out
    Effects back = wardrobe.tell(new Command.ReturnAll("Ada"));
    assertThat(back.events())
        .containsExactlyInAnyOrder(new Event.Returned("cloak"), new Event.Returned("crown"));
    assertThat(back.answer(Lendings.class)).isEqualTo(new Lendings(Map.of()));
  }

  @Test
  void nothingIsLeftAfterTheSeason() {
    wardrobe.tell(new Command.Lend("cloak", "Ada"));
    assertThat(wardrobe.tell(new Command.Dissolve()).of(Effect.Deleted.class)).hasSize(1);
    assertThat(wardrobe.tell(new Command.Lend("cloak", "Bob")).answer(Lendings.class))
        .isEqualTo(new Lendings(Map.of("cloak", "Bob")));
  }

  @Test
  void oldEventsStillReplay() {
    GoldenEvents.of(Path.of("src/test/resources/golden/wardrobe"), Wardrobe::new)
        .scenario(
            "a lending and a return",
            actor -> {
              actor.tell(new Command.Lend("cloak", "Ada"));
              actor.tell(new Command.ReturnAll("Ada"));
              actor.tell(new Command.Lend("crown", "Bob"));
            })
        .check();
  }
}
