package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.internal.messaging.TellOrderWorld.Rules;
import org.junit.jupiter.api.Test;

/**
 * Tells to a receiver arrive in their order on every way there is: large bodies, past the mailbox,
 * into it, in line for room; each ends once. Without any one of the rules some world shows the
 * damage.
 */
class TellOrderTest {
  private static final int WORLDS = 3_000;

  @Test
  void noTellOvertakesAnotherAndEachEnds() {
    for (long seed = 0; seed < WORLDS; seed++) {
      new TellOrderWorld(seed, Rules.ALL).run();
    }
  }

  @Test
  void withoutTheSequencerASmallTellOvertakesALargeOne() {
    breaks(new Rules(false, true));
  }

  @Test
  void aReceiverAskedWhileEarlierTellsAreUnderWayTakesALaterOneFirst() {
    breaks(new Rules(true, false));
  }

  private static void breaks(Rules rules) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < WORLDS; seed++) {
                new TellOrderWorld(seed, rules).run();
              }
            })
        .isInstanceOf(AssertionError.class);
    assertThat(WORLDS).isPositive();
  }
}
