package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.OrphanedRun;
import io.callboard.jobs.internal.process.OrphanProcess;
import io.callboard.jobs.internal.process.OrphanSweep;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

/** Outcomes that an earlier boot has not reported. */
class OrphanedRunsTest {
  private static final String FAILED = "processes of earlier boots cannot be looked for";

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Set<RunKey> acknowledged = ConcurrentHashMap.newKeySet();

  private HostFiles files(RunKey... left) {
    List<OrphanedRun> runs =
        Stream.of(left)
            .map(
                key ->
                    new OrphanedRun(
                        key,
                        1,
                        "earlier",
                        Instant.EPOCH,
                        Optional.of(new ExitRecord(0, Optional.empty(), Instant.EPOCH))))
            .toList();
    return (HostFiles)
        Proxy.newProxyInstance(
            HostFiles.class.getClassLoader(),
            new Class<?>[] {HostFiles.class},
            (proxy, method, given) ->
                switch (method.getName()) {
                  case "unacknowledged" -> runs;
                  case "output" -> RunOutput.NONE;
                  case "acknowledge" -> {
                    acknowledged.add((RunKey) given[0]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static OrphanSweep.Report survives(OrphanProcess... left) {
    return new OrphanSweep.Report(List.of(), List.of(left), List.of());
  }

  @Test
  void aProcessThatSurvivesItsKillIsListedAndSweptAgainUntilItIsGone() {
    ManualTime time = new ManualTime(Instant.EPOCH);
    Callboard node = nodes.open("h1", options -> options.time(time));
    String job = "01a20b82-10b0-70ed-becb-000000000001";
    Queue<Supplier<OrphanSweep.Report>> sweeps = new ConcurrentLinkedQueue<>();
    OrphanProcess first = new OrphanProcess(7, job, "2", "earlier");
    sweeps.add(() -> survives(first, new OrphanProcess(8, job, "2", "earlier")));
    sweeps.add(() -> survives(first));
    Supplier<OrphanSweep.Report> fails =
        () -> {
          throw new IllegalStateException("the disk is away");
        };
    for (int i = 0; i < 3; i++) {
      sweeps.add(fails);
    }
    sweeps.add(OrphanedRunsTest::survives);
    OrphanedRuns left = new OrphanedRuns(node, () -> sweeps.remove().get(), files());
    try (LogCapture log = LogCapture.of(OrphanedRuns.class)) {
      await(left.settle());
      assertThat(left.notGone()).containsExactly(left(job, List.of(7L, 8L)));
      time.advance(Duration.ofSeconds(5));
      Eventually.assertThat(
          () -> assertThat(left.notGone()).containsExactly(left(job, List.of(7L))));
      Eventually.isTrue("it fails", () -> sweepsOnce(time, sweeps, 3));
      log.expect(Level.ERROR, FAILED);
      assertThat(left.notGone()).containsExactly(left(job, List.of(7L)));
      Eventually.isTrue("it is tried again", () -> sweepsOnce(time, sweeps, 0));
      Eventually.assertThat(() -> assertThat(left.notGone()).isEmpty());
      for (String each : List.of("pid=7", "pid=8", FAILED)) {
        assertThat(log.lines()).as("once").filteredOn(l -> l.text().contains(each)).hasSize(1);
      }
    }
    left.close();
  }

  private static boolean sweepsOnce(ManualTime time, Queue<?> sweeps, int left) {
    if (sweeps.size() > left) {
      time.advance(Duration.ofSeconds(5)); // the alarm may be set after it
    }
    return sweeps.size() <= left;
  }

  private static TroubledRun left(String job, List<Long> pids) {
    return new TroubledRun(
        TroubledRun.Kind.KILL_FAILED, job, "", 2, "h1", Instant.EPOCH, pids, true);
  }

  @Test
  void aJobThatTakesNoMessageDoesNotStopTheHostsStart() {
    RunKey deaf = new RunKey("01a20b82-10b0-70ed-becb-000000000001", 1);
    RunKey other = new RunKey("01a20b82-10b0-70ed-becb-000000000002", 1);
    DamagedStore store = new DamagedStore();
    store.mailbox(JobActor.path(deaf.jobId()));
    Callboard node = nodes.open("h1", options -> options.store(() -> store.of(nodes.cell())));
    OrphanedRuns left =
        new OrphanedRuns(
            node,
            () -> new OrphanSweep.Report(List.of(), List.of(), List.of()),
            files(deaf, other));
    try (LogCapture log = LogCapture.of(OrphanedRuns.class)) {
      await(left.settle());
      log.expect(Level.ERROR, "the end of run " + deaf + " could not be reported to its job");
    }
    assertThat(acknowledged).as("what the next start reports again is left").containsExactly(other);
  }
}
