package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Zones of handlers at the desk: their slots are their own. */
class DeskZonesTest {
  private static final WorkerId ONE = new WorkerId("one", "boot-one", 1);
  private static final String OCR = "handler:ocr@2";
  private static final String MAIL = "handler:mail@1";

  private WorkMachine desk;
  private long seq;

  @BeforeEach
  void open() {
    desk = new WorkMachine(WorkersState.NONE.opened());
    desk.members(Set.of(ONE.boot()), 0);
  }

  private void says(WorkerNews... news) {
    desk.news(new DeskCommand.News(desk.epoch(), ONE, ++seq, List.of(news)), 0);
  }

  private static WorkerNews hello(int slots, List<HeldRun> held, ZoneSlots... zones) {
    return new WorkerNews.Hello(
        slots, Set.of("http", OCR, MAIL), held, false, List.of(zones), null);
  }

  private void offers(int slots, ZoneSlots... zones) {
    says(hello(slots, List.of(), zones));
    desk.enrolled(List.of(ONE), 0);
  }

  private static ZoneSlots scan(int slots, @Nullable String trouble) {
    return new ZoneSlots("scan", slots, Set.of(OCR), trouble);
  }

  private void requests(String type, String... instances) {
    for (String instance : instances) {
      assertThat(desk.request(Requests.of(instance, type), 0))
          .isInstanceOf(RequestAnswer.Queued.class);
    }
  }

  private List<WorkerCommand.Assign> assigned() {
    List<WorkerCommand.Assign> found = new ArrayList<>();
    for (DeskEffect effect : desk.effects()) {
      if (effect instanceof DeskEffect.Tell tell
          && tell.order() instanceof WorkerCommand.Assign assign) {
        found.add(assign);
      }
    }
    return found;
  }

  private List<String> given() {
    return assigned().stream().map(each -> each.request().instance() + ":" + each.zone()).toList();
  }

  private String why(String instance) {
    return desk.places(instance, 0, Instant.EPOCH).get(0).why();
  }

  private static HeldRun held(StepRequest request, @Nullable String zone, @Nullable String waits) {
    return new HeldRun(
        request.key(), "node", "definition", request.type(), false, null, zone, waits, null);
  }

  @Test
  void aFullZoneTakesNoSlotOfOthersNorTheyOfIt() {
    offers(2, scan(1, null));
    requests(OCR, "a", "b", "c");
    requests("http", "x", "y", "z");
    assertThat(given()).containsExactly("a:scan", "x:null", "y:null");
    assertThat(why("b"))
        .isEqualTo("all 1 slots of the workers that offer ocr@2 are taken: one in its zone scan");
    assertThat(why("z")).isEqualTo("all 2 slots of the workers that offer http are taken: one");
    says(new WorkerNews.Ended(Requests.of("x", "http").key()));
    assertThat(given()).containsExactly("z:null");
    says(new WorkerNews.Ended(Requests.of("a", OCR).key()));
    assertThat(given()).containsExactly("b:scan");
    DeskAnswer.Worker worker = desk.overview(0).workers().get(0);
    assertThat(worker.slots()).isEqualTo(3);
    assertThat(worker.running()).containsEntry("definition", 3);
  }

  @Test
  void stepsThatNameNoVersionGoWhereverOneIsOffered() {
    says(
        new WorkerNews.Hello(
            1, Set.of("handler:ocr@1", OCR), List.of(), false, List.of(scan(1, null)), null));
    desk.enrolled(List.of(ONE), 0);
    requests("handler:ocr", "a", "b", "c");
    assertThat(given()).containsExactlyInAnyOrder("a:null", "b:scan");
    assertThat(why("c"))
        .isEqualTo(
            "all 2 slots of the workers that offer ocr are taken: one, one in its zone scan");
  }

  @Test
  void aRunThatIsGivenBackWaitsUntilItsZoneTakesItAndSaysWhy() {
    offers(1, scan(1, null));
    requests(OCR, "a");
    WorkerCommand.Assign first = assigned().get(0);
    says(new WorkerNews.Accepted(first.request().key(), first.number()));
    says(
        new WorkerNews.Revoked(
            first.request().key(), first.number(), WorkerNews.Revocation.NEVER_BEGAN, null),
        hello(1, List.of(), scan(0, "the zone is full")));
    assertThat(given()).as("it is not given to the full zone again").isEmpty();
    assertThat(why("a"))
        .isEqualTo(
            "the workers that offer ocr@2 have no slots: one in its zone scan (the zone is full)");
    requests("http", "x");
    assertThat(given()).containsExactly("x:null");
    says(hello(1, List.of(held(Requests.of("x", "http"), null, null)), scan(1, null)));
    assertThat(assigned())
        .singleElement()
        .satisfies(
            again -> {
              assertThat(again.request()).isEqualTo(first.request());
              assertThat(again.number()).isGreaterThan(first.number());
            });
  }

  @Test
  void aRunThatWasGivenBackIsNotSaidToWaitAtItsFormerWorker() {
    offers(1, scan(1, null));
    StepRequest request = Requests.of("a", OCR);
    requests(OCR, "a");
    WorkerCommand.Assign first = assigned().get(0);
    says(hello(1, List.of(held(request, "scan", "it waits for a thread")), scan(1, null)));
    assertThat(desk.places("a", 0, Instant.EPOCH).get(0).state())
        .as("it does not run")
        .isEqualTo(RunPlace.State.ASSIGNED);
    assertThat(desk.request(request, 0)).isEqualTo(new RequestAnswer.Queued(desk.epoch(), null));
    says(
        new WorkerNews.Revoked(
            request.key(), first.number(), WorkerNews.Revocation.NEVER_BEGAN, null));
    WorkerCommand.Assign again = assigned().get(0);
    says(new WorkerNews.Accepted(request.key(), again.number()));
    assertThat(why("a")).isNull();
    assertThat(desk.places("a", 0, Instant.EPOCH).get(0).state()).isEqualTo(RunPlace.State.RUNNING);
  }

  @Test
  void aRunThatAnEarlierDeskAssignedIsTakenBackAtOnce() {
    says(hello(1, List.of(held(Requests.of("a", OCR), "scan", "it waits")), scan(1, null)));
    desk.enrolled(List.of(ONE), 0);
    requests(OCR, "a");
    assertThat(given()).isEmpty();
    says(
        new WorkerNews.Revoked(
            Requests.of("a", OCR).key(), 5_000, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(given()).containsExactly("a:scan");
  }

  @Test
  void aRunThatIsTakenBackBeforeItsRequestWaitsForIt() {
    StepRequest request = Requests.of("a", OCR);
    says(hello(1, List.of(held(request, "scan", "it waits")), scan(1, null)));
    desk.enrolled(List.of(ONE), 0);
    desk.effects();
    says(new WorkerNews.Revoked(request.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(desk.effects()).as("its instance hears of no run").isEmpty();
    assertThat(desk.overview(0).workers().get(0).running()).isEmpty();
    requests(OCR, "a");
    assertThat(given()).containsExactly("a:scan");
  }

  @Test
  void aCancelledRunThatIsTakenBackBeforeItsRequestIsCancelled() {
    StepRequest request = Requests.of("a", OCR);
    says(hello(1, List.of(held(request, "scan", "it waits")), scan(1, null)));
    desk.cancel(request.key(), 0);
    desk.effects();
    says(new WorkerNews.Revoked(request.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(desk.effects())
        .containsExactly(new DeskEffect.Cancelled(request.key(), "node", "it had not begun"));
  }

  @Test
  void aZoneThatRestsIsKnownThoughItIsNotAmongTheTypesForEarlierDesks() {
    says(
        new WorkerNews.Hello(
            1, Set.of("http"), List.of(), false, List.of(scan(0, "no thread")), null));
    desk.enrolled(List.of(ONE), 0);
    requests(OCR, "a");
    assertThat(why("a"))
        .isEqualTo("the workers that offer ocr@2 have no slots: one in its zone scan (no thread)");
    assertThat(desk.overview(0).workers().get(0).types()).containsExactlyInAnyOrder("http", OCR);
  }

  @Test
  void anotherDeskCountsWhatRunsInItsZone() {
    StepRequest running = Requests.of("a", OCR);
    says(hello(1, List.of(held(running, "scan", "it waits for a thread")), scan(1, null)));
    desk.enrolled(List.of(ONE), 0);
    requests(OCR, "b");
    requests("http", "x");
    assertThat(given()).containsExactly("x:null");
    assertThat(why("a")).isEqualTo("it waits for a thread");
    says(new WorkerNews.Ended(running.key()));
    assertThat(given()).containsExactly("b:scan");
  }

  @Test
  void aHandlerThatMovesToAnotherZoneTakesNoSlotTwice() {
    offers(1, scan(1, null));
    requests(OCR, "a", "b");
    assertThat(given()).containsExactly("a:scan");
    ZoneSlots moved = new ZoneSlots("other", 1, Set.of(OCR), null);
    HeldRun running = held(Requests.of("a", OCR), "scan", null);
    says(hello(1, List.of(running), moved));
    assertThat(given()).containsExactly("b:other");
    says(new WorkerNews.Ended(running.key()), new WorkerNews.Settled(running.key()));
    assertThat(given()).isEmpty();
    says(hello(1, List.of(held(Requests.of("b", OCR), "other", null)), moved));
    assertThat(desk.workers.ofNode("one").zones).containsOnlyKeys("other");
  }

  @Test
  void aDrainedWorkerIsNamedOnceHoweverManyZonesItHas() {
    says(
        new WorkerNews.Hello(
            0, Set.of("handler:ocr@1", OCR), List.of(), true, List.of(scan(0, null)), null));
    desk.enrolled(List.of(ONE), 0);
    requests("handler:ocr", "a");
    assertThat(given()).isEmpty();
    assertThat(why("a")).isEqualTo("no worker that offers ocr takes runs now: one is drained");
  }
}
