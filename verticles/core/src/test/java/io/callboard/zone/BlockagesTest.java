package io.callboard.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.zone.Blockages.Event.Began;
import io.callboard.zone.Blockages.Event.Ended;
import io.callboard.zone.Seat.Busy;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockagesTest {
  private static final Thread ONE = new Thread("one");
  private static final Thread TWO = new Thread("two");
  private final Blockages blockages = new Blockages(100);

  @Test
  void aBlockageIsToldOnceAndItsEndOnce() {
    Busy busy = new Busy(ONE, 10, "/slow");
    assertThat(blockages.look(109, List.of(busy))).isEmpty();
    assertThat(blockages.look(110, List.of(busy))).containsExactly(new Began(busy));
    assertThat(blockages.look(500, List.of(busy))).isEmpty();
    assertThat(blockages.standing()).containsExactly(busy);
    assertThat(blockages.look(600, List.of())).containsExactly(new Ended(busy));
    assertThat(blockages.look(700, List.of())).isEmpty();
    assertThat(blockages.standing()).isEmpty();
  }

  @Test
  void anotherSliceOfTheSameThreadIsAnotherBlockage() {
    Busy first = new Busy(ONE, 10, "/a");
    Busy second = new Busy(ONE, 200, "/b");
    assertThat(blockages.look(150, List.of(first))).containsExactly(new Began(first));
    assertThat(blockages.look(250, List.of(second))).containsExactly(new Ended(first));
    assertThat(blockages.look(300, List.of(second))).containsExactly(new Began(second));
  }

  @Test
  void aSeenOneThatEndsAndBlocksAgainBetweenTwoLooksIsToldTwice() {
    Busy first = new Busy(ONE, 10, "/a");
    Busy second = new Busy(ONE, 200, "/b");
    assertThat(blockages.look(150, List.of(first))).containsExactly(new Began(first));
    assertThat(blockages.look(400, List.of(second)))
        .containsExactly(new Ended(first), new Began(second));
  }

  @Test
  void threadsAreToldApart() {
    Busy one = new Busy(ONE, 10, "/a");
    Busy two = new Busy(TWO, 50, null);
    assertThat(blockages.look(120, List.of(one, two))).containsExactly(new Began(one));
    assertThat(blockages.look(160, List.of(one, two))).containsExactly(new Began(two));
    assertThat(blockages.look(170, List.of(two))).containsExactly(new Ended(one));
  }
}
