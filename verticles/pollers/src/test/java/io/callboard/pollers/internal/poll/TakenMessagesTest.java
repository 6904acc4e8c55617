package io.callboard.pollers.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TakenMessagesTest {
  private final Instant now = Instant.parse("2026-11-26T12:00:00Z");

  @Test
  void aNewTimeReplacesTheOldOne() {
    TakenMessages held = new TakenMessages();
    held.lease(Duration.ofSeconds(30));
    SourceMessage message = new SourceMessage("m", "r", Buffer.buffer(), Map.of(), 1, null);
    TakenMessage its = held.add(message, now);
    assertThat(held.next(TakenMessages.Line.SUBMIT, now)).isSameAs(its);
    for (int i = 9; i > 0; i--) {
      its.dueAt = now.plusSeconds(i);
      held.schedule(its, now);
      held.extendAt(its, now.plusSeconds(i));
    }
    assertThat(held.times()).isEqualTo(2);
    held.wake(now.plusSeconds(1));
    assertThat(held.next(TakenMessages.Line.SUBMIT, now.plusSeconds(1))).isSameAs(its);
    assertThat(held.takeLeases(now.plusSeconds(1), 9)).containsExactly(its);
    assertThat(held.times()).isZero();
  }

  @Test
  void aMessageThatHasEndedIsNotKeptUntilItsTimesAreDue() {
    TakenMessages held = new TakenMessages();
    held.lease(Duration.ofHours(1));
    for (int i = 0; i < 20; i++) {
      SourceMessage message =
          new SourceMessage("m" + i, "r" + i, Buffer.buffer("body"), Map.of(), 1, null);
      TakenMessage its = held.add(message, now);
      assertThat(its).isNotNull();
      assertThat(held.next(TakenMessages.Line.SUBMIT, now)).isSameAs(its);
      its.stage = TakenMessage.Stage.RUNNING;
      its.dueAt = now.plus(PollerMachine.LOOK);
      held.schedule(its, now);
      held.extendAfter(its, now);
      assertThat(held.times()).isEqualTo(2);
      assertThat(held.bytes()).isEqualTo(4);
      held.remove(its);
    }
    assertThat(held.times()).isZero();
    assertThat(held.bytes()).isZero();
    assertThat(held.size()).isZero();
  }

  @Test
  void headersCountAsTheirBytes() {
    TakenMessages held = new TakenMessages();
    Map<String, String> headers = Map.of("name", "x".repeat(1_000));
    TakenMessage its =
        held.add(new SourceMessage("m", "r", Buffer.buffer("body"), headers, 1, null), now);
    assertThat(held.bytes()).isEqualTo(1_008);
    held.remove(its);
    assertThat(held.bytes()).isZero();
  }
}
