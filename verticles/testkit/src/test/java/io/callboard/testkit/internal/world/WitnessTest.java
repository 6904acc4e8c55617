package io.callboard.testkit.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** A witness is heard once, and is red where the flaw is not caught. */
class WitnessTest {
  private final List<Long> played = new ArrayList<>();

  /** Plays a rehearsal that sees a flaw in one world. */
  private LongConsumer seesIn(long world, String rule) {
    return seed -> {
      played.add(seed);
      if (seed == world) {
        throw new AssertionError(rule + ": as planned\nstory");
      }
    };
  }

  @Test
  void aWitnessThatShowsTheFlawIsPlayedAlone() {
    new Witness(17, "R[12]: ").isCaught(seesIn(17, "R2"));
    assertThat(played).containsExactly(17L);
  }

  @Test
  void aFollowingWorldStandsInForAWitness() {
    new Witness(17, "R1: ").isCaught(seesIn(19, "R1"));
    assertThat(played).containsExactly(17L, 18L, 19L);
  }

  @Test
  void aFlawThatIsNotCaughtIsRedAndSaysHowToFindAnotherWitness() {
    assertThatThrownBy(() -> new Witness(17, "R1: ").isCaught(seed -> {}))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no world from 17 to 21 breaks rule R1: ; instead: []")
        .hasMessageContaining("#eachWitnessIsTheFirst*' -Pnightly");
  }

  @Test
  void anotherRuleThatBreaksIsRed() {
    assertThatThrownBy(() -> new Witness(17, "R1: ").isCaught(seesIn(17, "R2")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("instead: [R2: as planned]");
  }

  @Test
  void aFailureOfNoRuleEndsTheSearch() {
    assertThatThrownBy(
            () ->
                new Witness(17, "R1: ")
                    .isCaught(
                        seed -> {
                          throw new IllegalStateException("as planned");
                        }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theFirstWorldThatShowsTheFlawIsTheWitness() {
    assertThatCode(() -> new Witness(17, "R1: ").isFirst(20, seesIn(17, "R1")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new Witness(17, "R1: ").isFirst(20, seesIn(3, "R1")))
        .isInstanceOf(AssertionError.class)
        .hasMessage("the witness is 3 now, not 17");
    assertThatThrownBy(() -> new Witness(17, "R1: ").isFirst(20, seesIn(20, "R1")))
        .isInstanceOf(AssertionError.class)
        .hasMessage("none of 20 worlds breaks rule R1: ; instead: []");
  }
}
