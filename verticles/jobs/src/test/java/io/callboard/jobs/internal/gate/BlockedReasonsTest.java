package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.Remedy;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypePause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of every reason of the gate, one at a time; each says what would change it. */
class BlockedReasonsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Handle HANDLE = new Handle(1, "etl", "h", "b", NOW, 1, 0, null, null);

  private final GateMachine machine = new GateMachine();
  private GateState state = GateState.empty();
  private long nowNs;

  @BeforeEach
  void aJobWaitsAndAHostHasRoom() {
    type(100, false, null);
    waits(null, Map.of(), Map.of());
    members(List.of());
    reports(4, Set.of(), null);
  }

  private void type(int limit, boolean paused, @Nullable Double share) {
    JobType type = new JobType("etl", "process", limit, paused, RetryPolicy.ONCE, share);
    state = state.apply(new GateEvent.TypePut(type));
  }

  private void waits(
      @Nullable Instant due, Map<String, String> labels, Map<String, String> requires) {
    state = state.apply(new GateEvent.Enqueued("j", 2, "etl", 5, NOW, due, null, labels, requires));
  }

  private void runs(String job) {
    state =
        new GateState(
            state.types(),
            state.waiting(),
            Map.of(job, HANDLE),
            state.enqueued(),
            1,
            state.limits(),
            state.backlogs());
  }

  private void members(List<String> draining) {
    machine.members(state, List.of("h/b"), draining, nowNs);
  }

  private void reports(int slots, Set<String> runs, @Nullable String fault) {
    assertThat(machine.report(state, new HostView("h", "b", 0, 0, slots, runs, fault, nowNs)))
        .isTrue();
  }

  private List<Blocked> reasons(String job) {
    List<Blocked> reasons = BlockedReasons.reasons(state, machine, job, "etl", NOW, nowNs);
    assertThat(reasons).allSatisfy(reason -> assertThat(reason.changesWhen()).isNotBlank());
    return reasons;
  }

  private void blockedBy(String kind, String detail) {
    assertThat(reasons("j"))
        .extracting(Blocked::kind, Blocked::detail)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(kind, detail));
  }

  @Test
  void aJobThatNothingBlocksSaysSo() {
    blockedBy("next", "nothing blocks it; 0 due jobs of its type go first");
  }

  @Test
  void aTypeThatIsMissingPausedOrFullIsAReason() {
    type(0, false, null);
    blockedBy("gate", "type etl has 0 of 0 runs");
    type(1, true, null);
    blockedBy("paused", "type etl is paused");
    JobType paused = state.types().get("etl");
    state =
        state.apply(
            new GateEvent.TypePut(
                Objects.requireNonNull(paused), new TypePause("anna", "disk full", NOW)));
    blockedBy("paused", "type etl is paused by anna since " + NOW + ": disk full");
    assertThat(reasons("j").get(0).since()).isEqualTo(NOW);
    state = new GateState(Map.of(), state.waiting(), Map.of(), 1, 0);
    blockedBy("gate", "its type does not exist");
  }

  @Test
  void aFullLabelLimitIsAReason() {
    waits(null, Map.of("db", "acme"), Map.of());
    state = state.apply(new GateEvent.LimitPut("db", 0));
    blockedBy("label-limit", "label db has 0 of 0 runs");
    assertThat(reasons("j").get(0).changesWhen()).isEqualTo("the limit is raised");
    assertThat(reasons("j").get(0).remedy()).isEqualTo(Remedy.raiseLabelLimit("db"));
  }

  @Test
  void hostsWithoutRoomAreAReason() {
    reports(0, Set.of(), null);
    blockedBy("no-slot", "there are no slots on h");
    assertThat(reasons("j").get(0).changesWhen()).isEqualTo("a host offers slots, or a node joins");
    machine.members(state, List.of("h/b", "i/b"), List.of(), nowNs);
    assertThat(machine.report(state, new HostView("i", "b", 0, 0, 0, Set.of(), null, nowNs)))
        .isTrue();
    blockedBy("no-slot", "there are no slots on h, i");
    runs("k");
    reports(1, Set.of("k/1"), null);
    blockedBy("no-slot", "all 1 slots of 1 hosts are in use");
    members(List.of());
    runs("k");
    reports(1, Set.of("k/1"), null);
    blockedBy("no-slot", "all 1 slots of 1 hosts are in use");
    type(100, false, 0.5);
    reports(2, Set.of("k/1"), null);
    blockedBy("max-share", "type etl uses its share of each host with a free slot");
  }

  @Test
  void thePlaceOfAJobIsCountedAmongItsCompetitors() {
    enqueued("e", "etl");
    pausedOcr(true);
    for (String job : List.of("o1", "o2", "o3")) {
      enqueued(job, "ocr");
    }
    waits(null, Map.of(), Map.of());
    type(0, false, null);
    assertThat(reasons("j").get(0).position()).as("at the gate of its type").isEqualTo(2);
    type(100, false, null);
    assertThat(reasons("j").get(0).detail())
        .isEqualTo("nothing blocks it; 1 due jobs of its type go first");
    reports(0, Set.of(), null);
    assertThat(reasons("j").get(0).position())
        .as("for a slot, which no paused job gets")
        .isEqualTo(2);
    pausedOcr(false);
    assertThat(reasons("j").get(0).position()).isEqualTo(5);
  }

  private void enqueued(String job, String type) {
    state =
        state.apply(new GateEvent.Enqueued(job, 1, type, 5, NOW, null, null, Map.of(), Map.of()));
  }

  private void pausedOcr(boolean paused) {
    state =
        state.apply(
            new GateEvent.TypePut(new JobType("ocr", "process", 9, paused, RetryPolicy.ONCE)));
  }

  @Test
  void hostsThatDrainFailOrLackLabelsAreAReason() {
    members(List.of("h"));
    blockedBy("draining", "host h is draining");
    members(List.of());
    reports(4, Set.of(), "no space");
    blockedBy("host-fault", "host h cannot start runs: no space");
    assertThat(reasons("j").get(0).since()).as("not said by an older node").isNull();
    waits(null, Map.of(), Map.of("gpu", "true"));
    blockedBy("no-host", "no host offers gpu=true");
  }

  /** A report of a host of which a start hangs, or has failed. */
  private void reportsFault(Set<String> runs, String fault) {
    GateCommand.Report report =
        new GateCommand.Report(
            "h",
            "b",
            0,
            List.copyOf(runs),
            NOW,
            0,
            1L,
            fault,
            null,
            null,
            NOW.minusSeconds(60),
            null);
    assertThat(machine.report(state, HostView.of(report, nowNs))).isTrue();
  }

  @Test
  void theFaultOfAHostIsAReasonWithItsBeginning() {
    reportsFault(Set.of(), "no space");
    blockedBy("host-fault", "host h cannot start runs: no space");
    assertThat(reasons("j").get(0).since()).isEqualTo(NOW.minusSeconds(60));
    assertThat(reasons("j").get(0).changesWhen()).contains("a probe").contains("returns");
  }

  @Test
  void theReasonOfAnUnstartedRunNamesTheFaultOfItsHost() {
    runs("k");
    reportsFault(Set.of("k/1"), "a start has not returned for over 30 s");
    assertThat(reasons("k"))
        .extracting(Blocked::detail)
        .containsExactly(
            "host h was granted run 1 at %s and has it, and its start is not known yet; the host cannot start runs: a start has not returned for over 30 s"
                .formatted(NOW));
  }

  @Test
  void aSilentHostHasBeenSoSinceItsLastReport() {
    nowNs += GateMachine.SILENCE.plusSeconds(1).toNanos();
    blockedBy("silent-host", "host h is not reporting its runs");
    assertThat(reasons("j").get(0).since())
        .isEqualTo(NOW.minus(GateMachine.SILENCE).minusSeconds(1));
  }

  @Test
  void hostsThatHaveNotReportedAreAReason() {
    assertThat(BlockedReasons.reasons(state, new GateMachine(), "j", "etl", NOW, 0))
        .extracting(Blocked::detail)
        .containsExactly("no host has reported yet");
  }

  @Test
  void aRunThatIsNotDueSaysWhenItIs() {
    waits(NOW.plus(Duration.ofHours(1)), Map.of(), Map.of());
    blockedBy("not-due", "it is due at 2026-11-25T13:00:00Z");
    assertThat(reasons("j").get(0).until()).isEqualTo("2026-11-25T13:00:00Z");
  }

  @Test
  void anEarlierRunThatIsNotOverIsAReason() {
    runs("j");
    blockedBy("earlier-run", "its run 1 on host h still has its slot");
    state = new GateState(state.types(), state.waiting(), Map.of(), 1, 0);
    reports(4, Set.of("j/1"), null);
    blockedBy("earlier-run", "run j/1 on host h, which has no handle, is alive and being killed");
  }

  @Test
  void aGrantedRunSaysWhetherItOrOnlyItsStartIsNotReported() {
    runs("k");
    assertThat(reasons("k"))
        .extracting(Blocked::detail)
        .containsExactly(
            "host h was granted run 1 at %s and has not reported it yet".formatted(NOW));
    reports(4, Set.of("k/1"), null);
    assertThat(reasons("k"))
        .extracting(Blocked::detail)
        .containsExactly(
            "host h was granted run 1 at %s and has it, and its start is not known yet"
                .formatted(NOW));
  }

  @Test
  void aRunInTheBacklogSaysThatItWaitsThere() {
    assertThat(reasons("other")).isEmpty();
    state = state.apply(new GateEvent.Kept("etl", 5));
    assertThat(reasons("other"))
        .extracting(Blocked::detail)
        .containsExactly(
            "it waits in the backlog of type etl, where 1 jobs are due, behind the 1 that the gate"
                + " chooses from");
  }
}
