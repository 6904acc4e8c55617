package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.admin.WaitingMessage;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Tests of which repeated reports and questions a host sends to a gate that may not read them. */
class GateReportsTest {
  private final ManualTime time = new ManualTime();
  private Supplier<Future<List<WaitingMessage>>> look = () -> waits("0-0");
  private Supplier<Future<Void>> send = Future::succeededFuture;
  private int sent;
  private final GateReports reports =
      new GateReports(
          () -> look.get(),
          () -> {
            sent++;
            return send.get();
          },
          time);

  private static Future<List<WaitingMessage>> waits(String place) {
    return Future.succeededFuture(
        List.of(new WaitingMessage(place, null, null, 0, null, false, null, null)));
  }

  private void longest(String place) {
    look = () -> waits(place);
  }

  private void repeat(int times) {
    for (int i = 0; i < times; i++) {
      Future<Void> unused = reports.repeat();
    }
  }

  @Test
  void noReportIsSentWhileTheLastOnesWaitUnread() {
    repeat(1_000);
    assertThat(sent).isEqualTo(2 * ReportPace.MOST);
    assertThat(reports.requireReader().cause()).hasMessageContaining("resume /jobs/gate");
    longest("1-0");
    assertThat(reports.requireReader().succeeded()).isTrue();
    repeat(1_000);
    assertThat(sent).as("once the gate has read any").isEqualTo(3 * ReportPace.MOST);
  }

  @Test
  void aGateThatReadsGetsEachReport() {
    for (int i = 1; i <= 1_000; i++) {
      repeat(1);
      longest(i + "-0");
    }
    assertThat(sent).isEqualTo(1_000);
    assertThat(reports.requireReader().succeeded()).isTrue();
  }

  /** Reports that bypass the mailbox leave nothing there. */
  @Test
  void aGateWhoseMailboxIsEmptyGetsEachReport() {
    look = () -> Future.succeededFuture(List.of());
    repeat(1_000);
    assertThat(sent).isEqualTo(1_000);
  }

  @Test
  void aReportThatWasNotSentDoesNotCountAsWaiting() {
    send = () -> Future.failedFuture("the store is away");
    repeat(10);
    assertThat(sent).isEqualTo(10);
    assertThat(reports.repeat().cause()).hasMessage("the store is away");
    send = Future::succeededFuture;
    repeat(10);
    assertThat(sent).isEqualTo(11 + 2 * ReportPace.MOST);
  }

  @Test
  void whileTheStoreCannotBeReadNoMoreReportsAreSentThanWithoutAGate() {
    look = () -> Future.failedFuture("the record is damaged");
    repeat(10);
    assertThat(sent).isEqualTo(ReportPace.MOST);
    longest("1-0");
    repeat(1);
    assertThat(sent).isEqualTo(ReportPace.MOST + 1);
  }

  @Test
  void aReportWithoutAnAnswerHoldsOthersBackForAWhileAndIsNotCounted() {
    Promise<Void> first = Promise.promise();
    send = first::future;
    repeat(10);
    assertThat(sent).as("one is under way").isEqualTo(1);
    time.advance(GateReports.LATE);
    send = Future::succeededFuture;
    repeat(1);
    first.complete();
    repeat(10);
    assertThat(sent).isEqualTo(1 + 2 * ReportPace.MOST);
  }

  @Test
  void aGateThatDoesNotReadForAWhileIsLoggedOnce() {
    try (LogCapture log = LogCapture.of(GateReports.class)) {
      for (int i = 0; i < 600; i++) {
        repeat(1);
        time.advance(Duration.ofSeconds(10));
        boolean early = i < 2 * ReportPace.MOST + 6;
        assertThat(log.lines()).hasSize(early ? 0 : 1);
      }
      longest("1-0");
      repeat(1);
      assertThat(log.lines())
          .extracting(LogCapture.Line::level)
          .containsExactly(Level.WARN, Level.INFO);
    }
  }

  @Test
  void noReportIsSentAfterTheEnd() {
    repeat(ReportPace.MOST);
    Promise<List<WaitingMessage>> looked = Promise.promise();
    look = looked::future;
    repeat(1);
    reports.close();
    looked.complete(List.of());
    repeat(1);
    assertThat(sent).isEqualTo(ReportPace.MOST);
  }
}
