package io.callboard.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.Json;
import io.callboard.delivery.Received.Last;
import io.callboard.delivery.Received.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedTest {
  @Test
  void eachMessageIsTheNextOnce() {
    Received one = Received.NOTHING.with("shop", 7, 1);
    assertThat(Received.NOTHING.judge("shop", 7, 1)).isEqualTo(Verdict.NEXT);
    assertThat(Received.NOTHING.judge("shop", 7, 2)).isEqualTo(Verdict.GAP);
    assertThat(one.judge("shop", 7, 1)).isEqualTo(Verdict.DUPLICATE);
    assertThat(one.judge("shop", 7, 2)).isEqualTo(Verdict.NEXT);
    assertThat(one.judge("shop", 7, 3)).isEqualTo(Verdict.GAP);
    assertThat(one.expected("shop", 7)).isEqualTo(2);
    assertThat(one.judge("other", 7, 1)).isEqualTo(Verdict.NEXT);
  }

  @Test
  void aSenderThatBeginsAnewIsKnownByItsSession() {
    Received two = Received.NOTHING.with("shop", 7, 1).with("shop", 7, 2);
    assertThat(two.judge("shop", 8, 3)).as("its first is missing").isEqualTo(Verdict.GAP);
    assertThat(two.expected("shop", 8)).isEqualTo(1);
    Received anew = two.with("shop", 8, 1);
    assertThat(anew.judge("shop", 7, 3)).as("late").isEqualTo(Verdict.STALE);
    assertThat(anew.judge("shop", 8, 2)).isEqualTo(Verdict.NEXT);
    assertThat(anew.senders()).containsOnly(Map.entry("shop", new Last(8, 1)));
  }

  /** A message below number 1 would be taken for handled, and lost. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aSenderThatBeginsBelowOneIsTold(long number) {
    assertThatThrownBy(() -> Received.NOTHING.judge("shop", 7, number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("numbers begin with 1");
  }

  @Test
  void anUnexpectedMessageCannotBeReceived() {
    assertThatThrownBy(() -> Received.NOTHING.with("shop", 7, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("message 2 of session 7 of \"shop\" is GAP: number 1 is expected");
    assertThatThrownBy(() -> Received.NOTHING.judge("", 7, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 200 characters");
    assertThatThrownBy(() -> new Last(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sendersAreLimitedAndCanBeForgotten() {
    Map<String, Last> many = new HashMap<>();
    for (int i = 0; i < Received.MOST_SENDERS; i++) {
      many.put("s" + i, new Last(1, 1));
    }
    Received full = new Received(many);
    assertThat(full.with("s1", 1, 2).senders()).hasSize(Received.MOST_SENDERS);
    assertThatThrownBy(() -> full.with("new", 1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("there are 1000 senders, which is the limit");
    assertThat(full.without("s1").with("new", 1, 1).senders()).doesNotContainKey("s1");
  }

  @Test
  void receivedNumbersAreReadAsTheyWereStored() {
    Received some = Received.NOTHING.with("b", 7, 1).with("a", 8, 1).with("a", 8, 2);
    Received read = Json.read("it", Json.bytes(some), Received.class);
    assertThat(read).isEqualTo(some);
  }

  /** Whatever the way between loses, repeats and reorders: each is handled once, in order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aBadWayChangesNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Received received = Received.NOTHING;
    List<Long> handled = new ArrayList<>();
    List<Long> underWay = new ArrayList<>();
    long confirmed = 0;
    for (int step = 0; step < 200_000 && confirmed < 500; step++) {
      long number = confirmed + 1 + random.nextInt(5); // at most five unconfirmed
      underWay.add(number);
      if (random.nextInt(4) > 0) {
        long arrives = underWay.remove(random.nextInt(underWay.size()));
        Verdict verdict = received.judge("sender", 1, arrives);
        if (verdict == Verdict.NEXT) {
          received = received.with("sender", 1, arrives);
          handled.add(arrives);
        }
        if (verdict != Verdict.GAP && random.nextInt(3) > 0) { // else the answer is lost
          confirmed = Math.max(confirmed, arrives);
        }
      }
    }
    assertThat(confirmed).isGreaterThanOrEqualTo(500);
    for (int i = 0; i < handled.size(); i++) {
      assertThat(handled.get(i)).isEqualTo(i + 1);
    }
  }
}
