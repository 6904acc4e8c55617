package io.callboard.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TimerEntry;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.turn.OutboxEntryChange;
import io.callboard.internal.turn.Turn;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.OutboxChange;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Timers of one life, and what their changes write. */
class DurableTimersUnitTest {
  record Note(String text) {}

  private long nowMs = 1_000;
  private final DurableTimers timers =
      new DurableTimers(
          ActorPath.of("/a/b"), Loaded.NOTHING, new OutboxEntryIds(Loaded.NOTHING, 0), () -> nowMs);

  private static Turn turn() {
    return new Turn(Reply.NONE);
  }

  private static OutboxEntryChange only(Turn turn) {
    assertThat(turn.entries()).hasSize(1);
    return turn.entries().get(0);
  }

  @Test
  void aStartThatIsRefusedLeavesTheOneBeforeRunning() {
    Turn first = turn();
    timers.start(first, "k", Duration.ofSeconds(1), new Note("first"), false);
    Turn second = turn();
    Note large = new Note("x".repeat(Limits.INLINE_BYTES));
    assertThatThrownBy(() -> timers.start(second, "k", Duration.ofSeconds(1), large, false))
        .isInstanceOf(CallboardException.class);
    assertThat(second.entries()).isEmpty();
    assertThat(timers.isRunning(only(first).number())).isTrue();
  }

  @Test
  void thousandMayRunAndOneOfThemStartAgain() {
    for (int i = 0; i < DurableTimers.MOST; i++) {
      timers.start(turn(), "k" + i, Duration.ofSeconds(1), new Note("x"), false);
    }
    assertThatThrownBy(() -> timers.start(turn(), "more", Duration.ZERO, new Note("x"), false))
        .hasMessageContaining("which is the limit");
    timers.start(turn(), "k7", Duration.ofSeconds(2), new Note("again"), false);
  }

  @Test
  void aPeriodicOneGoesOnAtTheNextOfItsTimesUnderItsNumber() {
    Turn started = turn();
    timers.start(started, "k", Duration.ofSeconds(10), new Note("tick"), true);
    long number = only(started).number();
    nowMs = 11_000 + 25_000;
    Turn handled = turn();
    timers.handled(handled, number);
    TimerEntry next = (TimerEntry) Objects.requireNonNull(only(handled).entry());
    assertThat(next.dueMs()).as("the times missed are one").isEqualTo(41_000);
    assertThat(next.message().id()).isNotEqualTo(only(started).entry().message().id());
    OutboxChange written = OutboxEntryChange.written(handled.entries());
    assertThat(written.kept().keySet()).containsExactly(number);
    assertThat(written.made()).isEmpty();
  }

  @Test
  void aTimerThatStartsAndEndsInOneCommitWritesNothing() {
    Turn started = turn();
    timers.start(started, "k", Duration.ofSeconds(10), new Note("x"), false);
    Turn cancelled = turn();
    assertThat(timers.cancel(cancelled, "k")).isTrue();
    assertThat(timers.cancel(cancelled, "k")).isFalse();
    assertThat(OutboxEntryChange.written(List.of(only(started), only(cancelled))))
        .isSameAs(OutboxChange.NONE);
    assertThat(OutboxEntryChange.written(List.of(only(cancelled))).gone())
        .containsExactly(only(started).number());
  }
}
