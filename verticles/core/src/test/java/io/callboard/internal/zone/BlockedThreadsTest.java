package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.zone.BlockedThreads.Event.Began;
import io.callboard.internal.zone.BlockedThreads.Event.Ended;
import io.callboard.internal.zone.ThreadState.Busy;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockedThreadsTest {
  private static final Thread ONE = new Thread("one");
  private static final Thread TWO = new Thread("two");
  private final BlockedThreads blockedThreads = new BlockedThreads(100);

  @Test
  void aBlockageIsToldOnceAndItsEndOnce() {
    Busy busy = new Busy(ONE, 10, "/slow");
    assertThat(blockedThreads.look(109, List.of(busy))).isEmpty();
    assertThat(blockedThreads.look(110, List.of(busy))).containsExactly(new Began(busy));
    assertThat(blockedThreads.look(500, List.of(busy))).isEmpty();
    assertThat(blockedThreads.standing()).containsExactly(busy);
    assertThat(blockedThreads.look(600, List.of())).containsExactly(new Ended(busy));
    assertThat(blockedThreads.look(700, List.of())).isEmpty();
    assertThat(blockedThreads.standing()).isEmpty();
  }

  @Test
  void anotherSliceOfTheSameThreadIsAnotherBlockage() {
    Busy first = new Busy(ONE, 10, "/a");
    Busy second = new Busy(ONE, 200, "/b");
    assertThat(blockedThreads.look(150, List.of(first))).containsExactly(new Began(first));
    assertThat(blockedThreads.look(250, List.of(second))).containsExactly(new Ended(first));
    assertThat(blockedThreads.look(300, List.of(second))).containsExactly(new Began(second));
  }

  @Test
  void aSeenOneThatEndsAndBlocksAgainBetweenTwoLooksIsToldTwice() {
    Busy first = new Busy(ONE, 10, "/a");
    Busy second = new Busy(ONE, 200, "/b");
    assertThat(blockedThreads.look(150, List.of(first))).containsExactly(new Began(first));
    assertThat(blockedThreads.look(400, List.of(second)))
        .containsExactly(new Ended(first), new Began(second));
  }

  @Test
  void threadsAreToldApart() {
    Busy one = new Busy(ONE, 10, "/a");
    Busy two = new Busy(TWO, 50, null);
    assertThat(blockedThreads.look(120, List.of(one, two))).containsExactly(new Began(one));
    assertThat(blockedThreads.look(160, List.of(one, two))).containsExactly(new Began(two));
    assertThat(blockedThreads.look(170, List.of(two))).containsExactly(new Ended(one));
  }
}
