package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetWindowTest {
  @Test
  void noOffsetIsCommittedBeforeTheFirstIsDone() {
    OffsetWindow window = new OffsetWindow(3);
    assertThat(window.committable()).isEmpty();
    window.deliver(7);
    window.deliver(8);
    assertThat(window.committable()).isEmpty();
    assertThat(window.done(8)).isTrue();
    assertThat(window.committable()).isEmpty();
    assertThat(window.done(7)).isTrue();
    assertThat(window.committable()).hasValue(9);
    window.committed(9);
    assertThat(window.committable()).isEmpty();
    assertThat(window.size()).isZero();
  }

  @Test
  void aFullWindowAdmitsOnlyOffsetsThatItHas() {
    OffsetWindow window = new OffsetWindow(2);
    window.deliver(0);
    window.deliver(5);
    assertThat(window.isFull()).isTrue();
    assertThat(window.admits(6)).isFalse();
    assertThat(window.admits(0)).as("again, after it was given back").isTrue();
    assertThatThrownBy(() -> window.deliver(6)).hasMessageContaining("offset 6");
    assertThat(window.done(5)).isTrue();
    assertThat(window.isFull()).as("what is done behind an open one counts").isTrue();
    assertThat(window.admits(5)).as("it is done").isFalse();
    assertThat(window.done(0)).isTrue();
    assertThat(window.isFull()).isFalse();
  }

  @Test
  void anOffsetThatIsDoneTwiceOrUnknownChangesNothing() {
    OffsetWindow window = new OffsetWindow(10);
    window.deliver(1);
    assertThat(window.done(2)).isFalse();
    assertThat(window.done(1)).isTrue();
    assertThat(window.done(1)).isFalse();
    assertThat(window.isPast(1)).isTrue();
    assertThat(window.isPast(2)).isFalse();
    assertThatThrownBy(() -> window.deliver(1)).isInstanceOf(IllegalStateException.class);
  }

  /** Against a model: the set of all offsets that were delivered and are not done. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void theLowestOffsetThatIsNotDoneIsCommitted(long seed) {
    Random random = new Random(seed);
    int most = 1 + random.nextInt(50);
    OffsetWindow window = new OffsetWindow(most);
    TreeSet<Long> open = new TreeSet<>();
    long next = random.nextInt(1_000);
    long committed = next;
    for (int i = 0; i < 5_000; i++) {
      if (random.nextInt(3) > 0 && window.admits(next)) {
        window.deliver(next);
        open.add(next);
        next += random.nextInt(5) == 0 ? 1 + random.nextInt(100) : 1;
      } else if (!open.isEmpty()) {
        List<Long> all = new ArrayList<>(open);
        long one = all.get(random.nextInt(all.size()));
        if (random.nextInt(4) == 0) {
          window.deliver(one); // given back, and delivered again
        } else {
          assertThat(window.done(one)).isTrue();
          open.remove(one);
        }
      }
      assertThat(window.size()).isBetween(open.size(), most);
      if (window.committable().isPresent()) {
        long offset = window.committable().getAsLong();
        assertThat(offset).as("only forward").isGreaterThan(committed);
        assertThat(open).as("nothing open is behind it").allMatch(each -> each >= offset);
        if (!open.isEmpty()) {
          assertThat(offset).isEqualTo(open.first());
        }
        if (random.nextBoolean()) {
          window.committed(offset);
          committed = offset;
        }
      } else {
        assertThat(open.isEmpty() || open.first() == committed)
            .as("what is done waits for no reason: %d of %s", committed, open)
            .isTrue();
      }
    }
  }
}
