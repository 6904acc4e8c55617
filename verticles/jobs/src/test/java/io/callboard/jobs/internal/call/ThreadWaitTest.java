package io.callboard.jobs.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ThreadWaitTest {
  private final ThreadWait wait = new ThreadWait("scan", Duration.ofSeconds(10));

  @Test
  void aWaitIsNotOverWhileTheCodeHasNotReturned() {
    assertThat(wait.isOver()).as("it waits for a thread").isFalse();
    assertThat(wait.hasBegun()).isFalse();
    assertThat(wait.begins()).isTrue();
    assertThat(wait.hasBegun()).isTrue();
    assertThat(wait.isOver()).as("the code has the thread").isFalse();
    wait.returned();
    wait.returned();
    assertThat(wait.isOver()).isTrue();
    assertThat(wait.begins()).as("it is called once").isFalse();
  }

  @Test
  void aRunThatWasGivenBackDoesNotBegin() {
    assertThat(wait.givesBack()).isTrue();
    assertThat(wait.givesBack()).as("it is given back once").isFalse();
    assertThat(wait.begins()).isFalse();
    assertThat(wait.hasBegun()).isFalse();
    assertThat(wait.isOver()).isTrue();
  }

  @Test
  void aRunThatHasBegunIsNotGivenBack() {
    assertThat(wait.begins()).isTrue();
    assertThat(wait.begins()).isFalse();
    assertThat(wait.givesBack()).isFalse();
    assertThat(wait.isOver()).isFalse();
  }

  @Test
  void messagesNameTheZoneAndTheTime() {
    assertThat(wait.what()).isEqualTo("it waits for a thread of the zone scan");
    assertThat(wait.tooLong()).isEqualTo("the zone scan had no thread for it within 10 s");
    Throwable full = new CallboardException(Code.MAILBOX_FULL, "its queue is full");
    assertThat(wait.full()).isEqualTo("the zone scan is full");
    assertThat(wait.refused(full)).contains(wait.full());
    assertThat(wait.refused(new IllegalStateException(new TimeoutException())))
        .contains(wait.tooLong());
    assertThat(wait.refused(new IllegalStateException("its code is broken"))).isEmpty();
  }
}
