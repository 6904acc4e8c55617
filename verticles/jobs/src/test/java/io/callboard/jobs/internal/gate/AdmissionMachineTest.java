package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.AdmissionMachine.Grant;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.PriorityAging;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AdmissionMachineTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Map<String, JobType> types = new HashMap<>();
  private final Map<String, WaitingRun> waiting = new HashMap<>();
  private final Map<String, GateState.Handle> handles = new HashMap<>();
  private final Map<String, HostView> hosts = new HashMap<>();
  private final Map<String, Map<String, String>> hostLabels = new HashMap<>();

  private void type(String name, int limit, boolean paused) {
    types.put(name, new JobType(name, "process", limit, paused, RetryPolicy.ONCE));
  }

  private void host(String name, int slots) {
    hosts.put(name, new HostView(name, "boot", 0, 1, slots, Set.of(), null, 0));
  }

  private void waits(String job, String type, int priority, Instant at, Instant notBefore) {
    waiting.put(job, new WaitingRun(1, type, priority, at, notBefore, null, waiting.size()));
  }

  private void runs(String job, String type, String host) {
    handles.put(job, new GateState.Handle(1, type, host, "boot", NOW, 1, 0, null, null));
  }

  /** Hosts that gave runs back. */
  private final Set<String> lastOnes = new HashSet<>();

  private List<Grant> decide(GateState state) {
    return AdmissionMachine.decide(
        state,
        new GateIndex(),
        hosts.values(),
        (host, requires) ->
            hostLabels.getOrDefault(host, Map.of()).entrySet().containsAll(requires.entrySet()),
        (host, type) -> lastOnes.contains(host.name()),
        job -> false,
        NOW,
        Integer.MAX_VALUE);
  }

  private List<String> granted() {
    GateState state = new GateState(types, waiting, handles, 0, 0);
    return decide(state).stream().map(Grant::job).toList();
  }

  @Test
  void hostsThatGaveRunsBackAreChosenLastForOthersThatWereGivenBack() {
    type("t", 10, false);
    host("a-old", 8);
    host("b-old", 9);
    host("new", 1);
    lastOnes.addAll(List.of("a-old", "b-old"));
    Map<String, String> marked = Map.of("@unreadable", HandlerNeed.mark("another/boot"));
    for (String host : List.of("a-old", "b-old", "new")) {
      hostLabels.put(host, marked);
    }
    for (long i = 0; i < 3; i++) {
      waiting.put("j" + i, new WaitingRun(1, "t", 5, NOW, null, null, i, Map.of(), marked));
    }
    assertThat(decide(new GateState(types, waiting, handles, 0, 0)))
        .extracting(grant -> grant.host().name())
        .containsExactly("new", "a-old", "a-old");
    waiting.clear();
    waits("not given back", "t", 5, NOW, null);
    assertThat(decide(new GateState(types, waiting, handles, 0, 0)))
        .extracting(grant -> grant.host().name())
        .containsExactly("b-old");
  }

  @Test
  void runsGoByPriorityThenByAge() {
    type("t", 10, false);
    host("h", 10);
    waits("first", "t", 5, NOW, null);
    waits("second", "t", 5, NOW, null);
    waits("urgent", "t", 9, NOW, null);
    waits("low", "t", 0, NOW, null);
    assertThat(granted()).containsExactly("urgent", "first", "second", "low");
  }

  @Test
  void waitingRaisesThePriorityUpToTheHighest() {
    type("t", 1, false);
    host("h", 10);
    waits("fresh", "t", 9, NOW, null);
    waits("old", "t", 0, NOW.minus(PriorityAging.STEP.multipliedBy(9)), null);
    assertThat(granted()).as("equal by now, and later enqueued").containsExactly("fresh");
    waits("older", "t", 0, NOW.minus(Duration.ofDays(3)), null);
    assertThat(AdmissionMachine.effectivePriority(waiting.get("older"), NOW)).isEqualTo(9);
  }

  @Test
  void theLimitOfTheTypeHolds() {
    type("t", 2, false);
    host("h", 10);
    runs("running", "t", "h");
    waits("a", "t", 5, NOW, null);
    waits("b", "t", 5, NOW, null);
    assertThat(granted()).containsExactly("a");
  }

  @Test
  void aPausedTypeAndOneOverItsLoweredLimitGetNothing() {
    type("paused", 5, true);
    type("lowered", 1, false);
    host("h", 10);
    runs("x", "lowered", "h");
    runs("y", "lowered", "h");
    waits("a", "paused", 5, NOW, null);
    waits("b", "lowered", 5, NOW, null);
    assertThat(granted()).isEmpty();
  }

  private void offers(String name, int slots, Map<String, Integer> handlers) {
    hosts.put(
        name,
        new HostView(
            name, "boot", 0, 1, slots, Set.of(), null, 0, Set.of(), Map.of(), null, handlers));
    Map<String, String> labels = new HashMap<>();
    handlers.keySet().forEach(handler -> labels.put(HandlerNeed.label(handler), ""));
    hostLabels.put(name, labels);
  }

  private void needs(String job, String type) {
    waiting.put(
        job,
        new WaitingRun(
            1,
            type,
            5,
            NOW,
            null,
            null,
            waiting.size(),
            Map.of(),
            Map.of(HandlerNeed.label(type), "")));
  }

  @Test
  void runsOfAHandlerTakeItsSlotsAndNoOthers() {
    type("t", 10, false);
    types.put("report", JobType.ofHandler("report"));
    types.put("mail", JobType.ofHandler("mail"));
    offers("a", 1, Map.of("report", 2));
    offers("b", 0, Map.of("mail", 1));
    for (String job : List.of("1", "2", "3")) {
      needs("report" + job, "report");
      needs("mail" + job, "mail");
      waits("process" + job, "t", 5, NOW, null);
    }
    List<Grant> grants = decide(new GateState(types, waiting, handles, 0, 0));
    assertThat(grants)
        .extracting(grant -> grant.job() + " on " + grant.host().name())
        .containsExactlyInAnyOrder("report1 on a", "report2 on a", "mail1 on b", "process1 on a");
  }

  @Test
  void slotsThatRunsOfAHandlerHaveAreCountedForItAlone() {
    type("t", 10, false);
    types.put("report", JobType.ofHandler("report"));
    offers("a", 1, Map.of("report", 2));
    handles.put(
        "x", new GateState.Handle(1, "report", "a", "boot", NOW, 1, 0, null, null, "report"));
    runs("y", "t", "a");
    needs("report1", "report");
    needs("report2", "report");
    waits("process", "t", 5, NOW, null);
    assertThat(granted()).containsExactly("report1");
  }

  @Test
  void theShareOfATypeIsOneOfTheSlotsOfItsHandler() {
    JobType whole = JobType.ofHandler("report");
    types.put(
        "report",
        new JobType(
            "report", whole.runner(), 100, false, whole.retry(), 0.5, null, whole.handler()));
    offers("a", 100, Map.of("report", 4));
    for (int i = 0; i < 4; i++) {
      needs("report" + i, "report");
    }
    assertThat(granted()).containsExactly("report0", "report1");
  }

  @Test
  void slotsOfAHostHoldAndTheEmptiestHostIsChosen() {
    type("t", 10, false);
    host("a", 1);
    host("b", 2);
    runs("x", "t", "b");
    waits("1", "t", 5, NOW, null);
    waits("2", "t", 5, NOW, null);
    waits("3", "t", 5, NOW, null);
    GateState state = new GateState(types, waiting, handles, 0, 0);
    assertThat(decide(state))
        .extracting(grant -> grant.host().name())
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void jobsThatAreNotDueOrStillRunWait() {
    type("t", 10, false);
    host("h", 10);
    waits("later", "t", 5, NOW, NOW.plusSeconds(1));
    waits("again", "t", 5, NOW, null);
    runs("again", "t", "h");
    waits("now", "t", 5, NOW, NOW);
    assertThat(granted()).containsExactly("now");
  }

  private void labelled(String job, Map<String, String> labels, Map<String, String> requires) {
    waiting.put(job, new WaitingRun(1, "t", 5, NOW, null, null, waiting.size(), labels, requires));
  }

  @Test
  void theLimitOfALabelHoldsOverAllTypesAndBlocksNoOther() {
    type("t", 10, false);
    type("u", 10, false);
    host("h", 10);
    handles.put(
        "running",
        new GateState.Handle(1, "u", "h", "boot", NOW, 1, 0, null, Map.of("db", "acme")));
    labelled("second", Map.of("db", "acme"), Map.of());
    labelled("third", Map.of("db", "acme"), Map.of());
    labelled("other", Map.of("db", "beta"), Map.of());
    GateState state = new GateState(types, waiting, handles, 0, 0, Map.of("db=acme", 2), Map.of());
    assertThat(decide(state)).extracting(Grant::job).containsExactly("second", "other");
    GateState any = new GateState(types, waiting, handles, 0, 0, Map.of("db", 2), Map.of());
    assertThat(decide(any)).extracting(Grant::job).containsExactly("second");
  }

  @Test
  void aRunGoesOnlyToAHostThatOffersWhatItRequires() {
    type("t", 10, false);
    host("plain", 10);
    host("gpu", 1);
    hostLabels.put("gpu", Map.of("gpu", "true", "zone", "eu"));
    labelled("one", Map.of(), Map.of("gpu", "true"));
    labelled("two", Map.of(), Map.of("gpu", "true"));
    labelled("none", Map.of(), Map.of("gpu", "false"));
    assertThat(decide(new GateState(types, waiting, handles, 0, 0)))
        .extracting(grant -> grant.job() + " " + grant.host().name())
        .containsExactly("one gpu");
  }

  @Test
  void aTypeTakesItsShareOfAHostAtMost() {
    types.put("t", new JobType("t", "process", 100, false, RetryPolicy.ONCE, 0.5));
    host("a", 4);
    host("b", 5);
    for (int i = 0; i < 10; i++) {
      waits("w" + i, "t", 5, NOW, null);
    }
    assertThat(decide(new GateState(types, waiting, handles, 0, 0)))
        .extracting(grant -> grant.host().name())
        .containsExactlyInAnyOrder("a", "a", "b", "b");
  }

  /**
   * Grants never exceed a limit or the slots, whatever the state; and none is left that could go.
   */
  @Test
  void limitsHoldInEveryState() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      types.clear();
      waiting.clear();
      handles.clear();
      hosts.clear();
      for (int i = 0; i < 3; i++) {
        type("t" + i, random.nextInt(5), random.nextInt(4) == 0);
        host("h" + i, random.nextInt(5));
      }
      for (int i = 0; i < random.nextInt(8); i++) {
        runs("r" + i, "t" + random.nextInt(3), "h" + random.nextInt(3));
      }
      for (int i = 0; i < random.nextInt(20); i++) {
        waits("w" + i, "t" + random.nextInt(3), random.nextInt(10), NOW, null);
      }
      GateState state = new GateState(types, waiting, handles, 0, 0);
      GateState after = state;
      for (Grant grant : decide(state)) {
        after =
            after.apply(
                new GateEvent.Granted(
                    grant.job(), 1, grant.waiting().type(), grant.host().name(), "boot", NOW, 0));
      }
      check(seed, state, after);
    }
  }

  private static RunCounts counts(GateState state) {
    return RunCounts.of(state.handles().values());
  }

  private void check(long seed, GateState before, GateState after) {
    for (JobType type : types.values()) {
      long started = counts(after).ofType(type.name()) - counts(before).ofType(type.name());
      if (started > 0) {
        assertThat(counts(after).ofType(type.name()))
            .as("seed %d", seed)
            .isLessThanOrEqualTo(type.limit());
        assertThat(type.paused()).isFalse();
      }
    }
    for (HostView host : hosts.values()) {
      long started = counts(after).onHost(host.name()) - counts(before).onHost(host.name());
      if (started > 0) {
        assertThat(counts(after).onHost(host.name()))
            .as("seed %d", seed)
            .isLessThanOrEqualTo(host.slots());
      }
    }
    assertThat(decide(after)).as("nothing is left out, seed %d", seed).isEmpty();
  }

  @Test
  void aWaitingRunIsStoredInOneLine() {
    List<WaitingRun> all = new ArrayList<>();
    all.add(new WaitingRun(3, "etl", 7, NOW, NOW.plusSeconds(5), null, 42));
    all.add(new WaitingRun(1, "process", 0, NOW, null, NOW, 0));
    for (WaitingRun each : all) {
      assertThat(WaitingRun.parse(each.line())).isEqualTo(each);
    }
  }
}
