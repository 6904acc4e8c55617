package io.callboard.jobs.internal.actor;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.jobs.internal.protocol.BacklogAnswer;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Gate and backlogs that an operator wants restored to an earlier event: jobs and hosts remember
 * what was since, so it is refused, and each job gets its run, once. Each test names what went
 * wrong when it was not.
 */
class RestoredGateTest {
  private static final String TYPE = "process";
  private static final String BACKLOG = TypeBacklog.path(TYPE);
  private static final String HOST = "h1";
  private static final int SLOTS = 40;
  private static final ActorOptions OWN = new ActorOptions().onBus(false);

  /** Observer of jobs that looks at none. */
  private static final JobObserver NOBODY =
      new JobObserver() {
        @Override
        public Runnable begins(String job) {
          return () -> {};
        }

        @Override
        public void is(Job job) {}

        @Override
        public void remains(String job, Tombstone tombstone) {}

        @Override
        public void gone(String job, long version) {}
      };

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Runs that were started, with their fencing tokens. */
  private final Map<String, Long> epochs = new ConcurrentSkipListMap<>();

  private final Set<String> alive = ConcurrentHashMap.newKeySet();
  private final List<String> killed = new CopyOnWriteArrayList<>();
  private final AtomicLong reports = new AtomicLong();
  private Callboard node;
  private @Nullable Throwable refusal;

  /** Host whose runs live until the test ends them. */
  private final class Host extends Actor<MonitorCommand> {
    @Override
    protected void protocol(Protocol<MonitorCommand> on) {
      on.message(MonitorCommand.Start.class, this::start)
          .message(MonitorCommand.Kill.class, kill -> killed.add(kill.run()))
          .message(MonitorCommand.Disown.class, this::disown)
          .message(MonitorCommand.Report.class, report -> report())
          .others(question -> {});
    }

    @Override
    protected Future<?> started() {
      report();
      return Future.succeededFuture();
    }

    private void report() {
      startTimer("report", Duration.ofSeconds(1), new MonitorCommand.Report());
      tell(
          gate(),
          new GateCommand.Report(
              HOST,
              node.bootId(),
              SLOTS,
              List.copyOf(new TreeSet<>(alive)),
              Instant.EPOCH,
              0,
              reports.incrementAndGet(),
              null,
              null,
              null,
              null,
              null));
    }

    private void start(MonitorCommand.Start start) {
      String run = start.job() + "/" + start.runId();
      alive.add(run);
      epochs.put(run, start.epoch());
      tell(job(start.job()), new JobCommand.Started(start.runId(), Instant.EPOCH));
    }

    private void disown(MonitorCommand.Disown question) {
      List<String> gone = question.runs().stream().filter(run -> !alive.contains(run)).toList();
      tell(gate(), new GateCommand.Disowned(HOST, node.bootId(), gone));
    }
  }

  /** Opens the cell; {@code window} is that of the gate. */
  private void open(int window) {
    node = nodes.open(HOST);
    await(
        node.host(
            JobActor.PREFIX,
            () ->
                new JobActor(
                    node.time().clock(),
                    new SplittableRandom(1),
                    NOBODY,
                    job -> Future.succeededFuture()),
            OWN));
    await(node.host(TypeBacklog.PREFIX, TypeBacklog::new, OWN));
    ActorRef<GateCommand> gate = await(node.spawn(Gate.PATH, () -> new Gate(window), OWN));
    ActorRef<MonitorCommand> host = await(node.spawn(HostMonitor.path(HOST), Host::new));
    assertThat(List.of(gate.path(), host.path())).doesNotHaveDuplicates();
  }

  private ActorRef<GateCommand> gate() {
    return node.durableRef(Gate.PATH, GateCommand.class);
  }

  private ActorRef<JobCommand> job(String id) {
    return node.durableRef(JobActor.path(id), JobCommand.class);
  }

  /** Submits jobs of the one type; each is at the gate before the next. */
  private void submit(int first, int last) {
    for (int number = first; number <= last; number++) {
      int before = known();
      submit("j" + number, TYPE);
      Eventually.isTrue("it is at the gate", () -> known() > before);
    }
  }

  /** Returns the number of runs that wait or run. */
  private int known() {
    GateAnswer.Overview now = overview();
    return now.queued() + now.running();
  }

  private void submit(String id, String type) {
    JobSpec spec = JobSpec.process(type, List.of("true"));
    assertThat(
            await(
                job(id)
                    .ask(
                        new JobCommand.Submit(id, spec, Instant.EPOCH, false, null),
                        JobAnswer.class)))
        .isInstanceOf(JobAnswer.Is.class);
  }

  private GateAnswer.Overview overview() {
    return (GateAnswer.Overview) await(gate().ask(new GateCommand.Look(null), GateAnswer.class));
  }

  private void pause(boolean paused) {
    assertThat(await(gate().ask(new GateCommand.Pause(TYPE, paused), GateAnswer.class)))
        .isInstanceOf(GateAnswer.Type.class);
  }

  private BacklogAnswer.Found find(String job) {
    return (BacklogAnswer.Found)
        await(
            node.durableRef(BACKLOG, BacklogCommand.class)
                .ask(new BacklogCommand.Find(job), BacklogAnswer.class));
  }

  private void hasRun(String... jobs) {
    for (String job : jobs) {
      hasRun(job, 1);
    }
  }

  private void hasRun(String job, int runId) {
    Eventually.assertThat(() -> assertThat(epochs).containsKey(job + "/" + runId));
  }

  /** Ends the first runs of jobs. */
  private void ends(int first, int last) {
    for (int number = first; number <= last; number++) {
      String job = "j" + number;
      hasRun(job);
      alive.remove(job + "/1");
      await(job(job).tell(new JobCommand.Ended(1, 0, null, true, Instant.EPOCH)));
    }
    Eventually.isTrue("their slots are free", () -> overview().running() == alive.size());
  }

  /** Waits for two reports of the host: a run that is in both, and has no handle, is killed. */
  private void hostReportsTwice() {
    long now = reports.get();
    Eventually.isTrue("the host reports twice", () -> reports.get() >= now + 2);
  }

  private void restore(String path, long event) {
    refusal =
        await(
            node.admin()
                .restore(path, event, "as it was")
                .<@Nullable Throwable>map(v -> null)
                .otherwise(cause -> cause));
  }

  private void wasRefused(String... words) {
    assertThat(refusal)
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.CONFLICT))
        .hasMessageContainingAll(words);
  }

  private void gateWasRefused() {
    wasRefused("/jobs/gate is not restored", "change types and limits", "refold it");
  }

  private void backlogWasRefused() {
    wasRefused(BACKLOG + " is not restored", "hold and release", "refold it");
  }

  // The gate.

  @Test
  void theGateForgotWhatWaitsSoThatItWaitedForEver() {
    open(100);
    pause(true); // event 1
    submit(1, 1);
    restore(Gate.PATH, 1);
    pause(false);
    hasRun("j1");
    gateWasRefused();
  }

  @Test
  void theGateForgotWhatRunsSoThatItKilledThatAndGaveItsSlotAway() {
    theOneRunsOn(1); // it did not wait
  }

  @Test
  void theGateGrantedARunThatIsAliveAgainAndItsJobGaveTheSlotBack() {
    theOneRunsOn(2); // it waited
  }

  private void theOneRunsOn(long event) {
    open(100);
    JobType one = new JobType("one", TYPE, 1, false, RetryPolicy.ONCE);
    assertThat(await(gate().ask(new GateCommand.PutType(one, null, null, null), GateAnswer.class)))
        .isInstanceOf(GateAnswer.Type.class);
    submit("j1", "one");
    hasRun("j1");
    restore(Gate.PATH, event);
    submit("j2", "one");
    hostReportsTwice();
    hostReportsTwice();
    assertThat(overview().running()).isEqualTo(1);
    assertThat(killed).isEmpty();
    assertThat(epochs).containsOnlyKeys("j1/1");
    ends(1, 1);
    hasRun("j2");
    gateWasRefused();
  }

  @Test
  void theGateGaveAFencingTokenTwice() {
    open(100);
    for (int number = 1; number <= 2; number++) { // three events each
      submit(number, number);
      ends(number, number);
    }
    restore(Gate.PATH, 3);
    submit("j3", TYPE);
    hasRun("j3");
    assertThat(epochs.values()).doesNotHaveDuplicates();
    gateWasRefused();
  }

  @Test
  void theGateForgotThatItHasABacklogOfWhichNothingWasPulled() {
    open(0);
    pause(true);
    submit(1, 12); // events 2 to 11; the others are in the backlog by events 12 and 13
    restore(Gate.PATH, 11);
    pause(false);
    hasRun("j11", "j12");
    gateWasRefused();
  }

  @Test
  void theGateGaveANumberOfTheOrderTwiceSoThatOneRunHidTheOther() {
    open(0);
    pause(true);
    submit(1, 12);
    restore(Gate.PATH, 12);
    submit(13, 13);
    pause(false);
    hasRun("j11", "j12", "j13");
    gateWasRefused();
  }

  @Test
  void theGateWaitedForAnAnswerOfABacklogThatItHadHad() {
    open(0);
    pause(true);
    submit(1, 11);
    await(job("j1").tell(new JobCommand.Cancel(Instant.EPOCH))); // event 13
    Eventually.isTrue("it is pulled", () -> find("j11").size() == 0); // event 14, returned by 15
    Eventually.isTrue("it is back", () -> overview().queued() == 10);
    restore(Gate.PATH, 14);
    submit("j12", TYPE);
    pause(false);
    hasRun("j11", "j12");
    gateWasRefused();
  }

  // The backlog.

  @Test
  void theBacklogForgotWhatWaits() {
    open(0);
    pause(true);
    submit(1, 12);
    Eventually.isTrue("they are kept", () -> find("j12").size() == 2);
    restore(BACKLOG, 1);
    pause(false);
    hasRun("j11", "j12");
    backlogWasRefused();
  }

  @Test
  void theBacklogHadARunAgainThatTookThePlaceOfTheNextOfItsJob() {
    open(0);
    pause(true);
    submit(1, 11);
    Eventually.isTrue("it is kept", () -> find("j11").size() == 1);
    pause(false);
    hasRun("j11");
    restore(BACKLOG, 1);
    ends(1, 11);
    pause(true);
    await(job("j11").tell(new JobCommand.Rerun(Instant.EPOCH)));
    Eventually.isTrue("run 2 waits", () -> overview().queued() == 1);
    submit(12, 21);
    await(job("j12").tell(new JobCommand.Cancel(Instant.EPOCH)));
    Eventually.isTrue("j21 is pulled", () -> find("j21").size() == 0);
    Eventually.isTrue("it is back", () -> overview().queued() == 10);
    pause(false);
    hasRun("j21");
    hasRun("j11", 2);
    backlogWasRefused();
  }
}
