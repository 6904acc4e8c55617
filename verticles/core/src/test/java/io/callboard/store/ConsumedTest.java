package io.callboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.store.Consumed.Stretch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConsumedTest {
  private record Place(long sequence, int index, boolean last) {
    Stretch stretch() {
      return Stretch.of(sequence, index, last);
    }
  }

  private static List<Place> mailbox(SplittableRandom random) {
    List<Place> places = new ArrayList<>();
    for (int segment = 0; segment < 8; segment++) {
      int size = 1 + random.nextInt(5);
      for (int i = 0; i < size; i++) {
        places.add(new Place(segment, i, i == size - 1));
      }
    }
    return places;
  }

  private static boolean isWhole(List<Place> mailbox, Set<Place> gone, long segment) {
    return mailbox.stream().filter(p -> p.sequence() == segment).allMatch(gone::contains);
  }

  /** Against a set of places, in any order of consumption, through its stored form. */
  @Test
  void knowsWhatIsConsumedInWhateverOrder() {
    SplittableRandom random = new SplittableRandom(7);
    int apart = 0;
    for (int round = 0; round < 2_000; round++) {
      List<Place> mailbox = mailbox(random);
      List<Place> left = new ArrayList<>(mailbox);
      Set<Place> gone = new HashSet<>();
      Consumed consumed = Consumed.NOTHING;
      while (!left.isEmpty()) {
        Place next = left.remove(random.nextInt(Math.min(left.size(), 6)));
        gone.add(next);
        consumed = consumed.with(next.stretch());
        ActorRecord record = new ActorRecord(0, 0, consumed, 0, 0, List.of());
        consumed = ActorRecord.decode("it", record.encode()).consumed();
        apart = Math.max(apart, consumed.beyond().size());
        for (Place each : mailbox) {
          assertThat(consumed.contains(each.sequence(), each.index()))
              .isEqualTo(gone.contains(each));
        }
        for (long segment = 0; segment < 8; segment++) {
          assertThat(consumed.containsAll(segment)).isEqualTo(isWhole(mailbox, gone, segment));
        }
        long first = consumed.from(0);
        assertThat(isWhole(mailbox, gone, first)).as("%s", consumed).isEqualTo(first == 8);
      }
      assertThat(consumed).isEqualTo(new Consumed(8, 0, List.of()));
    }
    assertThat(apart).isGreaterThan(2);
  }

  @Test
  void theNextGenerationFollowsWhereTheLastEnded() {
    long other = Generation.sequence(1, 0);
    Stretch first = new Stretch(3, 0, other, 2);
    assertThat(new Consumed(3, 0, List.of()).with(first))
        .isEqualTo(new Consumed(other, 2, List.of()));
    Consumed waits = new Consumed(2, 0, List.of()).with(first);
    assertThat(waits.beyond()).containsExactly(first);
    assertThat(waits.contains(other, 1)).isTrue();
    assertThat(waits.contains(other, 2)).isFalse();
    assertThat(waits.from(3)).as("the segment that is partly consumed").isEqualTo(other);
    assertThat(waits.with(new Stretch(2, 0, 3, 0))).isEqualTo(new Consumed(other, 2, List.of()));
  }

  /** Settled messages close holes, and no message that waits behind is taken for consumed. */
  @Test
  void allBeforeAPlaceCanBeTakenForConsumed() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 2_000; round++) {
      List<Place> mailbox = mailbox(random);
      Consumed consumed = Consumed.NOTHING;
      Set<Place> gone = new HashSet<>();
      for (Place each : mailbox) {
        if (random.nextBoolean()) {
          gone.add(each);
          consumed = consumed.with(each.stretch());
        }
      }
      Place settled = mailbox.get(random.nextInt(mailbox.size()));
      Consumed up = consumed.upTo(settled.sequence(), settled.index());
      for (Place each : mailbox) {
        boolean before = mailbox.indexOf(each) < mailbox.indexOf(settled);
        assertThat(up.contains(each.sequence(), each.index()))
            .as("%s of %s up to %s", each, consumed, settled)
            .isEqualTo(before || gone.contains(each));
      }
      assertThat(up.upTo(0, 0)).isEqualTo(up);
    }
  }
}
