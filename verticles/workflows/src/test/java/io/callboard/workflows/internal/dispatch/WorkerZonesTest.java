package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Zones of handlers at a worker: what it takes there, and what it gives back. */
class WorkerZonesTest {
  private static final String OCR = "handler:ocr@2";
  private static final StepRequest SCAN = Requests.of("a", OCR);
  private static final long REST = WorkerLanes.REST.toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final AtomicInteger lives = new AtomicInteger();
  private final WorkerMachine worker = new WorkerMachine("one", "boot", lives::incrementAndGet, 0);
  private long now;
  private long number;

  @BeforeEach
  void offers() {
    offer(1, null);
    worker.deskStarted(7);
    assertThat(hello().zones()).containsExactly(new ZoneSlots("scan", 1, Set.of(OCR), null));
  }

  private void offer(int slots, @Nullable String trouble) {
    worker.offer(
        Set.of("http", OCR), 1, false, List.of(new ZoneSlots("scan", slots, Set.of(OCR), trouble)));
  }

  private List<WorkerNews> news() {
    return worker.news().map(of -> of.news()).orElse(List.of());
  }

  private WorkerNews.Hello hello() {
    return news().stream()
        .filter(WorkerNews.Hello.class::isInstance)
        .map(WorkerNews.Hello.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private long assign(StepRequest request, @Nullable String zone) {
    worker.orders(
        WorkerCommand.Orders.to(
            worker.id(), 7, List.of(new WorkerCommand.Assign(++number, request, zone))),
        now);
    return number;
  }

  @Test
  void aZoneHasSlotsOfItsOwn() {
    assign(SCAN, "scan");
    StepRequest other = Requests.of("b", "http");
    assign(other, null);
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Begin(SCAN, "scan"), new WorkerEffect.Begin(other, null));
    StepRequest more = Requests.of("c", OCR);
    long refused = assign(more, "scan");
    assertThat(worker.effects()).isEmpty();
    assertThat(news())
        .contains(
            new WorkerNews.Revoked(more.key(), refused, WorkerNews.Revocation.NEVER_BEGAN, null));
    worker.over(SCAN.key(), StepOutcome.succeeded(null), now);
    assertThat(worker.effects()).hasSize(1);
    long taken = assign(more, "scan");
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(more, "scan"));
    assertThat(news()).contains(new WorkerNews.Accepted(more.key(), taken));
  }

  @Test
  void aDeskOfAnEarlierVersionHasTheOwnSlotsOnly() {
    assign(SCAN, null);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(SCAN, null));
    StepRequest other = Requests.of("b", "http");
    long refused = assign(other, null);
    assertThat(worker.effects()).isEmpty();
    assertThat(news())
        .contains(
            new WorkerNews.Revoked(other.key(), refused, WorkerNews.Revocation.NEVER_BEGAN, null));
  }

  @Test
  void aRunThatCouldNotBeginIsGivenBackAndItsZoneRests() {
    long first = assign(SCAN, "scan");
    worker.effects();
    news();
    worker.notBegun(SCAN.key(), "scan", "the zone scan is full", now);
    assertThat(worker.effects())
        .as("its instance hears of no attempt")
        .containsExactly(new WorkerEffect.Rest("scan", "the zone scan is full", WorkerLanes.REST));
    assertThat(worker.held()).isZero();
    List<WorkerNews> said = news();
    assertThat(said.get(0))
        .isEqualTo(
            new WorkerNews.Revoked(SCAN.key(), first, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(said.get(1))
        .isInstanceOfSatisfying(
            WorkerNews.Hello.class,
            hello -> {
              assertThat(hello.slots()).as("others go on").isEqualTo(1);
              assertThat(hello.zones())
                  .containsExactly(new ZoneSlots("scan", 0, Set.of(OCR), "the zone scan is full"));
            });
    now += REST - 1;
    worker.tick(now);
    assertThat(worker.hasNews()).isFalse();
    now++;
    worker.tick(now);
    assertThat(hello().zones()).containsExactly(new ZoneSlots("scan", 1, Set.of(OCR), null));
    long again = assign(SCAN, "scan");
    assertThat(again).isGreaterThan(first);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(SCAN, "scan"));
  }

  @Test
  void aCancelledRunThatCouldNotBeginHasEnded() {
    long given = assign(SCAN, "scan");
    worker.orders(
        WorkerCommand.Orders.to(worker.id(), 7, List.of(new WorkerCommand.End(given, SCAN.key()))),
        now);
    worker.effects();
    news();
    worker.notBegun(SCAN.key(), "scan", "no thread", now);
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Report(SCAN, StepOutcome.cancelled("it had not begun")));
    worker.notBegun(SCAN.key(), "scan", "no thread", now);
    assertThat(worker.effects()).as("it counts once").isEmpty();
    assertThat(news())
        .as("no zone rests for that")
        .containsExactly(new WorkerNews.Ended(SCAN.key()));
  }

  @Test
  void aRunThatGotNoThreadWithinItsTimeoutSaysSo() {
    StepRequest limited = Requests.limited("a", Duration.ofSeconds(2));
    assign(limited, null);
    now += Duration.ofSeconds(2).toNanos();
    worker.tick(now);
    worker.effects();
    worker.notBegun(limited.key(), null, "it was to end", now);
    assertThat(worker.effects())
        .containsExactly(
            new WorkerEffect.Report(
                limited,
                StepOutcome.timeout("it got no thread of zone steps within its timeout, PT2S")));
  }

  private void couldNotBegin(StepRequest request, @Nullable Duration rests) {
    long unused = assign(request, "scan");
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(request, "scan"));
    worker.notBegun(request.key(), "scan", "no thread", now);
    assertThat(worker.effects())
        .isEqualTo(
            rests == null ? List.of() : List.of(new WorkerEffect.Rest("scan", "no thread", rests)));
  }

  private void rests(Duration time) {
    now += time.toNanos() - 1;
    worker.tick(now);
    news();
    now++;
    worker.tick(now);
    assertThat(hello().zones()).containsExactly(new ZoneSlots("scan", 1, Set.of(OCR), null));
  }

  @Test
  void aZoneRestsTwiceAsLongEachTimeUntilAnAttemptBegins() {
    for (int seconds : List.of(1, 2, 4, 8, 16, 32, 60, 60)) {
      couldNotBegin(SCAN, Duration.ofSeconds(seconds));
      rests(Duration.ofSeconds(seconds));
    }
    assign(SCAN, "scan");
    worker.effects();
    worker.begun(SCAN.key(), "scan");
    worker.over(SCAN.key(), StepOutcome.succeeded(null), now);
    worker.effects();
    couldNotBegin(Requests.of("b", OCR), WorkerLanes.REST);
  }

  @Test
  void runsThatCouldNotBeginTogetherPauseTheZoneOnce() {
    offer(2, null);
    StepRequest other = Requests.of("b", OCR);
    assign(SCAN, "scan");
    assign(other, "scan");
    worker.effects();
    worker.notBegun(SCAN.key(), "scan", "no thread", now);
    worker.notBegun(other.key(), "scan", "no thread", now);
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Rest("scan", "no thread", WorkerLanes.REST));
    assertThat(worker.held()).isZero();
  }

  @Test
  void aReasonIsCutBeforeItTravels() {
    assign(SCAN, "scan");
    worker.effects();
    worker.notBegun(SCAN.key(), "scan", "x".repeat(10_000), now);
    assertThat(hello().zones().get(0).trouble()).hasSize(WorkerLanes.MOST_CHARACTERS);
  }

  @Test
  void aRunOfAnEarlierDeskThatCouldNotBeginPausesItsZoneAndNotTheOwnSlots() {
    assign(SCAN, null);
    worker.effects();
    worker.notBegun(SCAN.key(), "scan", "no thread", now);
    WorkerNews.Hello hello = hello();
    assertThat(hello.slots()).isEqualTo(1);
    assertThat(hello.trouble()).isNull();
    assertThat(hello.zones()).containsExactly(new ZoneSlots("scan", 0, Set.of(OCR), "no thread"));
    assertThat(hello.types()).as("so it gives no more of them").containsExactly("http");
    now += REST;
    worker.tick(now);
    assertThat(hello().types()).containsExactlyInAnyOrder("http", OCR);
  }

  @Test
  void aRunOfAnEarlierDeskIsGivenBackToTheNextOneToAssignAgain() {
    number = 5_000;
    assign(SCAN, "scan");
    worker.effects();
    worker.deskStarted(8);
    news();
    worker.notBegun(SCAN.key(), "scan", "no thread", now);
    assertThat(news())
        .contains(new WorkerNews.Revoked(SCAN.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    now += REST;
    worker.tick(now);
    worker.effects();
    worker.orders(
        WorkerCommand.Orders.to(worker.id(), 8, List.of(new WorkerCommand.Assign(1, SCAN, "scan"))),
        now);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(SCAN, "scan"));
  }

  private boolean isSaidAfter(Duration time) {
    now += time.toNanos();
    worker.tick(now);
    return worker.hasNews();
  }

  @Test
  void theReasonOfAWaitIsReportedWhenItChanges() {
    assign(SCAN, "scan");
    worker.effects();
    news();
    now += SECOND;
    worker.waits(SCAN.key(), "it waits");
    worker.tick(now);
    assertThat(hello().held().get(0).waits()).isEqualTo("it waits");
    worker.waits(SCAN.key(), "it waits");
    assertThat(isSaidAfter(WorkerMachine.WAITS_EVERY)).as("nothing new").isFalse();
    worker.begun(SCAN.key(), "scan");
    worker.tick(now);
    assertThat(hello().held().get(0).waits()).isNull();
  }

  @Test
  void reasonsOfWaitsAreReportedOnceASecondAndFreedSlotsAtOnce() {
    offer(2, null);
    StepRequest other = Requests.of("b", OCR);
    assign(SCAN, "scan");
    assign(other, "scan");
    worker.effects();
    news();
    worker.waits(SCAN.key(), "it waits");
    assertThat(isSaidAfter(Duration.ofMillis(500))).isFalse();
    worker.waits(other.key(), "it waits");
    assertThat(isSaidAfter(Duration.ofMillis(499))).isFalse();
    assertThat(isSaidAfter(Duration.ofMillis(1))).isTrue();
    assertThat(hello().held()).extracting(HeldRun::waits).containsOnly("it waits");
    worker.begun(SCAN.key(), "scan");
    assertThat(isSaidAfter(Duration.ZERO)).isFalse();
    worker.notBegun(other.key(), "scan", "no thread", now);
    assertThat(hello().held()).extracting(HeldRun::waits).containsExactly((String) null);
    assertThat(isSaidAfter(Duration.ofMillis(999))).as("it has been said").isFalse();
  }

  @Test
  void aWorkerThatHasLostContactSaysSoForAllItsSlots() {
    worker.fence(now);
    WorkerNews.Hello hello = hello();
    String why = "its node has lost contact with the cell";
    assertThat(hello.trouble()).isEqualTo(why);
    assertThat(hello.zones()).containsExactly(new ZoneSlots("scan", 0, Set.of(OCR), why));
  }

  @Test
  void aFullZoneTakesNothingUntilItIsNotFull() {
    offer(1, "the zone is full");
    assertThat(hello().zones())
        .containsExactly(new ZoneSlots("scan", 0, Set.of(OCR), "the zone is full"));
    offer(1, "the zone is full");
    assertThat(worker.hasNews()).as("nothing new").isFalse();
    long refused = assign(SCAN, "scan");
    assertThat(worker.effects()).isEmpty();
    assertThat(news())
        .contains(
            new WorkerNews.Revoked(SCAN.key(), refused, WorkerNews.Revocation.NEVER_BEGAN, null));
    offer(1, null);
    assertThat(hello().zones()).containsExactly(new ZoneSlots("scan", 1, Set.of(OCR), null));
  }

  @Test
  void aZoneThatIsOfferedNoMoreKeepsWhatRunsInItAndIsForgotten() {
    assign(SCAN, "scan");
    worker.effects();
    worker.offer(Set.of("http", OCR), 1, false, List.of());
    worker.waits(SCAN.key(), "it waits for a thread of the zone scan");
    WorkerNews.Hello hello = hello();
    assertThat(hello.zones()).isNull();
    assertThat(hello.held())
        .containsExactly(
            new HeldRun(
                SCAN.key(),
                SCAN.node(),
                SCAN.definition(),
                OCR,
                false,
                null,
                "scan",
                "it waits for a thread of the zone scan",
                null));
    worker.over(SCAN.key(), StepOutcome.succeeded(null), now);
    StepRequest next = Requests.of("b", OCR);
    long own = assign(next, null);
    assertThat(news()).contains(new WorkerNews.Accepted(next.key(), own));
  }
}
