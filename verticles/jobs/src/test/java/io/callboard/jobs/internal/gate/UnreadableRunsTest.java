package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.UnreadableArgs;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs whose arguments some hosts cannot read, at the gate. */
class UnreadableRunsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-30T12:00:00Z");
  private static final Duration ALMOST = UnreadableRuns.PATIENCE.minusSeconds(1);

  private final GateMachine machine = new GateMachine();
  private final Map<String, HostView> reports = new TreeMap<>();
  private GateState state = GateState.empty();
  private Instant now = BEGIN;
  private long nowNs;
  private long number;

  @BeforeEach
  void type() {
    happened(new GateEvent.TypePut(JobType.ofHandler("report"), null));
  }

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  private List<String> drained = List.of();

  private void reports(String host, String boot, int slots) {
    Map<String, Integer> offers = slots < 0 ? Map.of() : Map.of("report", slots);
    Set<String> runs =
        state.handles().entrySet().stream()
            .filter(run -> run.getValue().host().equals(host))
            .map(run -> run.getKey() + "/1")
            .collect(Collectors.toSet());
    reports.put(
        host,
        new HostView(
            host, boot, 0, ++number, 0, runs, null, nowNs, Set.of(), Map.of(), null, offers));
    members();
  }

  private void members() {
    List<String> live = reports.values().stream().map(HostView::member).toList();
    machine.members(state, live, drained, nowNs);
    reports.values().forEach(report -> assertThat(machine.report(state, report)).isTrue());
  }

  private void enqueue(String job, String... unreadableAt) {
    enqueue(job, now, unreadableAt);
  }

  private void enqueue(String job, Instant at, String... unreadableAt) {
    GateCommand.Enqueue e =
        machine.needing(
            state,
            new GateCommand.Enqueue(
                job,
                1,
                "report",
                5,
                at,
                null,
                null,
                null,
                null,
                unreadableAt.length == 0 ? null : List.of(unreadableAt)));
    happened(new GateEvent.Enqueued(job, 1, "report", 5, at, null, null, e.labels(), e.requires()));
  }

  /** Returns the decisions after a time in which all hosts have reported. */
  private List<GateStep> after(Duration time) {
    nowNs += time.toNanos();
    now = now.plus(time);
    for (HostView known : List.copyOf(reports.values())) {
      reports(known.name(), known.boot(), known.handlers().getOrDefault("report", -1));
    }
    List<GateStep> decisions = new ArrayList<>(machine.giveUp(state, now, nowNs));
    for (GateStep step : decisions) {
      happened(((GateStep.Expire) step).event());
    }
    for (GateStep step : machine.grants(state, now, nowNs)) {
      happened(((GateStep.Grant) step).event());
      decisions.add(step);
    }
    return decisions;
  }

  private List<GateStep> decide() {
    return after(Duration.ZERO);
  }

  private static GateStep unreadable(String job) {
    return new GateStep.Expire(new GateEvent.Withdrawn(job), 1, true);
  }

  private String host(String job) {
    GateState.Handle handle = state.handles().get(job);
    return handle == null ? "" : handle.host();
  }

  private List<Blocked> reasons(String job) {
    return BlockedReasons.reasons(state, machine, job, "report", now, nowNs);
  }

  @Test
  void aRunGoesToTheHostThatHasNotGivenItBackThoughItHasFewerSlots() {
    reports("old", "b", 16);
    reports("new", "b", 1);
    enqueue("first");
    assertThat(decide()).hasSize(1);
    assertThat(host("first")).as("the one with the most free slots").isEqualTo("old");
    enqueue("second", "old/b");
    assertThat(decide()).hasSize(1);
    assertThat(host("second")).isEqualTo("new");
    enqueue("third", "old/b");
    assertThat(after(UnreadableRuns.PATIENCE.multipliedBy(2)))
        .as("it waits for a slot of the other, however long that takes")
        .isEmpty();
    assertThat(reasons("third")).extracting(Blocked::kind).containsExactly("no-slot");
  }

  @Test
  void aHostIsAskedAgainAfterItsRestart() {
    reports("h", "b1", 16);
    enqueue("job", "h/b1");
    assertThat(decide()).isEmpty();
    assertThat(after(ALMOST)).isEmpty();
    reports("h", "b2", 16);
    assertThat(decide()).hasSize(1);
    assertThat(host("job")).isEqualTo("h");
  }

  @Test
  void aRunEndsWhenNoHostThatCanReadItHasComeInTime() {
    reports("h1", "b", 16);
    reports("h2", "b", 16);
    enqueue("job", "h1/b", "h2/b");
    enqueue("readable");
    assertThat(decide()).as("one lane does not keep another").hasSize(1);
    assertThat(reasons("job"))
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.kind()).isEqualTo("unreadable");
              assertThat(reason.detail())
                  .isEqualTo(
                      "no host that offers the handler \"report\" can read its arguments (asked:"
                          + " h1, h2)");
              assertThat(reason.since()).isEqualTo(BEGIN);
              assertThat(reason.changesWhen()).contains("within 5 minutes");
            });
    assertThat(after(ALMOST)).isEmpty();
    assertThat(after(Duration.ofSeconds(1))).containsExactly(unreadable("job"));
    assertThat(state.waiting()).isEmpty();
  }

  @Test
  void aRunFromABacklogGoesOnWithTheWaitOfItsLane() {
    reports("h", "b", 16);
    enqueue("first", "h/b");
    assertThat(decide()).isEmpty();
    assertThat(after(UnreadableRuns.PATIENCE)).containsExactly(unreadable("first"));
    assertThat(decide()).as("its lane is empty").isEmpty();
    enqueue("second", BEGIN, "h/b");
    assertThat(decide()).containsExactly(unreadable("second"));
  }

  @Test
  void eachOfAStreamOfRunsWaitsForItsOwnTime() {
    reports("h", "b", 16);
    Duration some = UnreadableRuns.PATIENCE.dividedBy(2);
    enqueue("first", "h/b");
    assertThat(decide()).isEmpty();
    assertThat(after(some)).isEmpty();
    enqueue("second", "h/b");
    assertThat(after(some)).containsExactly(unreadable("first"));
    assertThat(reasons("second")).extracting(Blocked::since).containsExactly(BEGIN.plus(some));
    assertThat(after(some.minusSeconds(1))).isEmpty();
    assertThat(after(Duration.ofSeconds(1))).containsExactly(unreadable("second"));
  }

  @Test
  void aRunThatHasAllMarksIsNotGivenToHostsThatGaveOthersBack() {
    String[] gone = new String[UnreadableArgs.MOST];
    for (int i = 0; i < gone.length; i++) {
      gone[i] = "h%02d/b".formatted(i);
      reports("h%02d".formatted(i), "b", 16);
    }
    reports("one too many", "b", 16);
    enqueue("other", "one too many/b");
    enqueue("job", gone);
    assertThat(decide()).hasSize(1);
    assertThat(host("job")).isEmpty();
    assertThat(after(ALMOST)).isEmpty();
    assertThat(after(Duration.ofSeconds(1))).contains(unreadable("job"));
  }

  /** One bad job must not gather the others of its type on few hosts. */
  @Test
  void aHostThatGaveARunBackGetsOthersAsBefore() {
    for (String host : List.of("h1", "h2", "h3")) {
      reports(host, "b", 16);
    }
    enqueue("bad", "h1/b", "h2/b", "h3/b");
    assertThat(decide()).isEmpty();
    for (int i = 0; i < 6; i++) {
      enqueue("good" + i);
    }
    assertThat(decide()).hasSize(6);
    assertThat(
            state.handles().values().stream()
                .collect(Collectors.groupingBy(GateState.Handle::host, Collectors.counting())))
        .isEqualTo(Map.of("h1", 2L, "h2", 2L, "h3", 2L));
  }

  @Test
  void aRunDoesNotEndWhileAHostThatWasNotAskedTakesNoRuns() {
    reports("old", "b", 16);
    reports("new", "b", 16);
    enqueue("job", "old/b");
    drained = List.of("new");
    assertThat(decide()).isEmpty();
    assertThat(after(UnreadableRuns.PATIENCE.multipliedBy(2))).isEmpty();
    drained = List.of();
    assertThat(decide()).hasSize(1);
    assertThat(host("job")).isEqualTo("new");
  }

  @Test
  void aNewGateBeginsTheWaitsAnew() {
    reports("h", "b", 16);
    enqueue("job", "h/b");
    assertThat(decide()).isEmpty();
    GateMachine next = new GateMachine();
    nowNs += UnreadableRuns.PATIENCE.toNanos();
    next.members(state, List.of("h/b"), List.of(), nowNs);
    assertThat(next.giveUp(state, now, nowNs)).as("no host has reported").isEmpty();
    assertThat(next.report(state, reports.get("h"))).isTrue();
    assertThat(next.giveUp(state, now, nowNs)).isEmpty();
  }

  @Test
  void aRunWaitsWithoutLimitWhileNoHostOffersItsHandler() {
    reports("h", "b", 16);
    enqueue("job", "h/b");
    assertThat(after(ALMOST)).isEmpty();
    reports("h", "b", -1);
    assertThat(after(UnreadableRuns.PATIENCE)).isEmpty();
    assertThat(reasons("job"))
        .extracting(Blocked::kind, Blocked::detail)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "no-host", "no host offers the handler \"report\""));
    reports("h", "b", 16);
    assertThat(after(ALMOST)).as("the wait begins anew").isEmpty();
  }

  @Test
  void runsOfAPausedTypeDoNotExpire() {
    reports("h", "b", 16);
    JobType type = JobType.ofHandler("report");
    happened(new GateEvent.TypePut(type.paused(true)));
    enqueue("job", "h/b");
    assertThat(decide()).isEmpty();
    assertThat(after(UnreadableRuns.PATIENCE)).isEmpty();
    happened(new GateEvent.TypePut(type));
    assertThat(decide()).isEmpty();
    assertThat(after(UnreadableRuns.PATIENCE)).containsExactly(unreadable("job"));
  }

  @Test
  void aTurnExpiresABoundedNumberOfRuns() {
    reports("h", "b", 16);
    for (int i = 0; i < GateMachine.MOST + 1; i++) {
      enqueue("j" + i, "h/b");
    }
    assertThat(decide()).isEmpty();
    assertThat(after(UnreadableRuns.PATIENCE)).hasSize(GateMachine.MOST);
    assertThat(machine.hasMore()).isTrue();
    assertThat(decide()).hasSize(1);
  }

  @Test
  void aBacklogKeepsWhichHostsCannotReadARun() {
    enqueue("job", "old host/b", "h2/b");
    WaitingRun run = state.waiting().get("job");
    assertThat(run).isNotNull();
    assertThat(WaitingRun.parse(run.line()).requires()).isEqualTo(run.requires()).hasSize(2);
    assertThat(HandlerNeed.marks(run.requires()))
        .containsExactlyInAnyOrder(HandlerNeed.mark("old host/b"), HandlerNeed.mark("h2/b"));
    assertThat(run.line()).as("thousands are part of one state").hasSizeLessThan(120);
  }
}
