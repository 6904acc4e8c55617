package io.callboard.internal.mailbox;

import static io.callboard.internal.mailbox.TimerDeliveries.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of an actor's messages to itself that come when its mailbox is full. */
class OwnMessagesTest {
  private static final int LIMIT = 10;

  private static VolatileMailbox full(boolean dropsOldest) {
    VolatileMailbox mailbox = new VolatileMailbox(LIMIT, dropsOldest);
    for (int i = 0; i < LIMIT; i++) {
      assertThat(mailbox.offer("mail " + i)).isNull();
    }
    return mailbox;
  }

  private static List<Object> all(VolatileMailbox mailbox) {
    List<Object> all = new ArrayList<>();
    for (Object next = mailbox.poll(); next != null; next = mailbox.poll()) {
      all.add(Delivery.from(next).message());
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5_000})
  void aFullMailboxTakesTheMessagesOfAllTimersInTheirOrder(int timers) {
    VolatileMailbox mailbox = full(false);
    for (int i = 0; i < timers; i++) {
      assertThat(mailbox.offerOwn(timer("timer " + i))).isNull();
    }
    Object refused = "one more";
    assertThat(mailbox.offer(refused)).isSameAs(refused);
    assertThat(mailbox.size()).isEqualTo(LIMIT + timers);
    List<Object> all = all(mailbox);
    assertThat(all).hasSize(LIMIT + timers).startsWith("mail 0").endsWith("timer " + (timers - 1));
    assertThat(all.get(LIMIT - 1)).isEqualTo("mail 9");
    assertThat(all.get(LIMIT)).isEqualTo("timer 0");
    assertThat(mailbox.isEmpty()).isTrue();
  }

  @Test
  void aTimerComesBeforeWhatIsAddedAfterIt() {
    VolatileMailbox mailbox = full(false);
    assertThat(mailbox.offerOwn(timer("timer"))).isNull();
    assertThat(mailbox.poll()).isEqualTo("mail 0");
    assertThat(mailbox.offer("later")).isNull();
    assertThat(mailbox.offerOwn(timer("last"))).isNull();
    assertThat(mailbox.offer("urgent", Priority.HIGH)).isNull();
    List<Object> all = all(mailbox);
    assertThat(all.get(0)).isEqualTo("urgent");
    assertThat(all.subList(all.size() - 3, all.size())).containsExactly("timer", "later", "last");
  }

  @Test
  void pipedOutcomesHaveAsManyPlacesAgainAsTheMailbox() {
    VolatileMailbox mailbox = full(false);
    for (int i = 0; i < 2 * LIMIT; i++) {
      assertThat(mailbox.offerOwn(timer("timer"))).isNull();
    }
    for (int i = 0; i < LIMIT; i++) {
      assertThat(mailbox.offerOwn(Delivery.of("piped " + i))).isNull();
    }
    Delivery tooMany = Delivery.of("piped too many");
    assertThat(mailbox.offerOwn(tooMany)).isSameAs(tooMany);
    assertThat(mailbox.offerOwn(timer("timer"))).isNull();
    assertThat(all(mailbox)).hasSize(4 * LIMIT + 1).endsWith("piped 9", "timer");
  }

  @Test
  void aMailboxThatDropsItsOldestDropsNoTimer() {
    VolatileMailbox mailbox = new VolatileMailbox(LIMIT, true);
    assertThat(mailbox.offerOwn(timer("timer"))).isNull();
    for (int i = 0; i < LIMIT; i++) {
      assertThat(mailbox.offer("mail " + i)).isNull();
    }
    assertThat(mailbox.offer("mail 10")).isEqualTo("mail 0");
    assertThat(all(mailbox)).hasSize(LIMIT + 1).startsWith("timer", "mail 1").endsWith("mail 10");
  }

  @Test
  void aMailboxThatDropsItsOldestKeepsTheOrderOfTimers() {
    VolatileMailbox mailbox = new VolatileMailbox(LIMIT, true);
    assertThat(mailbox.offerOwn(timer("timer 0"))).isNull();
    assertThat(mailbox.offerOwn(timer("timer 1"))).isNull();
    for (int i = 0; i <= LIMIT - 2; i++) {
      assertThat(mailbox.offer("mail " + i)).isNull();
    }
    assertThat(mailbox.offerOwn(timer("timer 2"))).isNull();
    assertThat(mailbox.offer("last")).isNull();
    List<Object> all = all(mailbox);
    assertThat(all).startsWith("timer 0", "timer 1", "mail 0");
    assertThat(all.subList(all.size() - 3, all.size()))
        .containsExactly("mail 8", "timer 2", "last");
  }

  @ParameterizedTest
  @EnumSource(Priority.class)
  void aLaneThatDropsItsOldestDropsNoTimer(Priority priority) {
    VolatileMailbox mailbox = new VolatileMailbox(LIMIT, true);
    assertThat(mailbox.offer(timer("timer"), priority)).isNull();
    for (int i = 0; i < LIMIT; i++) {
      assertThat(mailbox.offer("mail " + i, priority)).isNull();
    }
    assertThat(mailbox.offer("mail 10", priority)).isEqualTo("mail 0");
    assertThat(all(mailbox)).hasSize(LIMIT + 1).startsWith("timer", "mail 1");
  }
}
