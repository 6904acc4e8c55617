package io.callboard.dashboard.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobLog;
import org.junit.jupiter.api.Test;

class LogTailTest {
  private final LogTail tail = new LogTail();

  private static JobLog log(String text) {
    return new JobLog(1, text, false, false);
  }

  private static String event(String name, String data) {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }

  @Test
  void newTextIsAppended() {
    assertThat(tail.next(log("a\n")))
        .containsExactly(event("reset", "{\"run\":1,\"text\":\"a\\n\",\"truncated\":false}"));
    assertThat(tail.next(log("a\n"))).isEmpty();
    assertThat(tail.next(log("a\na\n")))
        .containsExactly(event("append", "{\"run\":1,\"text\":\"a\\n\"}"));
    assertThat(tail.isOver()).isFalse();
    assertThat(tail.next(new JobLog(1, "a\na\nb", false, true)))
        .containsExactly(
            event("append", "{\"run\":1,\"text\":\"b\"}"), event("end", "{\"run\":1}"));
    assertThat(tail.isOver()).isTrue();
  }

  @Test
  void theTailGoesOnWhenTheBeginningIsCut() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      lines.append("line ").append(i).append('\n');
    }
    String before = lines.toString();
    assertThat(tail.next(log(before))).hasSize(1);
    String after = before.substring(5_000) + "line 2000\n";
    assertThat(tail.next(new JobLog(1, after, true, false)))
        .containsExactly(event("append", "{\"run\":1,\"text\":\"line 2000\\n\"}"));
  }

  @Test
  void theTailBeginsAgainAfterAGap() {
    assertThat(tail.next(log("abc"))).hasSize(1);
    assertThat(tail.next(new JobLog(1, "xyz", true, false)).get(0)).startsWith("event: reset\n");
    assertThat(tail.next(new JobLog(2, "xyz", false, false)).get(0)).startsWith("event: reset\n");
  }

  @Test
  void theTailWaitsForTheFirstRun() {
    assertThat(tail.next(new JobLog(0, "", false, false)).get(0)).startsWith("event: reset\n");
    assertThat(tail.next(new JobLog(0, "", false, false))).isEmpty();
    assertThat(tail.next(log("a")).get(0)).startsWith("event: reset\n");
  }
}
