package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.index.JobIndex;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.JobSpec;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

class KeySweepTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(NOW);

  private final DamagedStore store = new DamagedStore();

  private Callboard callboard;

  @BeforeEach
  void start() throws Exception {
    callboard = nodes.open("h1", options -> options.time(time).store(() -> store.of(nodes.cell())));
    await(
        callboard.host(
            JobActor.PREFIX,
            () ->
                new JobActor(
                    time.clock(),
                    new SplittableRandom(1),
                    new JobIndex(1),
                    job -> Future.succeededFuture()),
            new ActorOptions().onBus(false)));
    await(callboard.host(JobKey.PREFIX, JobKey::new, new ActorOptions().onBus(false)));
  }

  private void submit(int number) throws Exception {
    await(
        ask(
            number,
            new JobCommand.Submit(id(number), JobSpec.process("process", List.of("true")), NOW)));
  }

  private static String id(int number) {
    return "01a20b82-10b0-70ed-becb-%012d".formatted(number);
  }

  private Future<JobAnswer> ask(int number, JobCommand command) {
    return callboard
        .durableRef(JobActor.path(id(number)), JobCommand.class)
        .ask(command, JobAnswer.class, Jobs.ASK);
  }

  @Test
  void expiredKeysAreReleased() throws Exception {
    Clock nextDay = Clock.fixed(NOW.plus(JobKey.KEPT), ZoneOffset.UTC);
    claim("idempotency", "old", "a", "r", NOW);
    claim("idempotency", "young", "b", "r", NOW.plusSeconds(1));
    claim("unique", "no record", "c", null, NOW);
    submit(6);
    await(ask(6, new JobCommand.Cancel(NOW)));
    claim("unique", "ended", id(6), null, NOW);
    submit(7);
    claim("unique", "live", id(7), null, NOW);
    claim("idempotency", "of a live job", id(7), "r", NOW);

    await(sweep(Clock.fixed(NOW.plus(JobKey.KEPT), ZoneOffset.UTC), Set.of()).sweep());
    assertThat(kept()).as("another node owns them").hasSize(6);
    await(sweep(nextDay, all()).sweep());

    Eventually.assertThat(
        () ->
            assertThat(kept())
                .containsExactlyInAnyOrder(
                    JobKey.path("idempotency", "young"),
                    JobKey.path("idempotency", "of a live job"),
                    JobKey.path("unique", "live")));
  }

  @Test
  void anUnreadableJobKeepsOnlyItsOwnKey() throws Exception {
    store.record(JobActor.path(id(8)));
    claim("unique", "damaged", id(8), null, NOW);
    for (int i = 0; i < 10; i++) {
      claim("unique", "no record " + i, id(100 + i), null, NOW);
    }
    try (LogCapture log = LogCapture.of(KeySweep.class)) {
      await(sweep(Clock.fixed(NOW.plus(JobKey.KEPT), ZoneOffset.UTC), all()).sweep());
      log.expect(Level.WARN, "the record of job " + id(8) + " cannot be read");
    }
    Eventually.assertThat(
        () -> assertThat(kept()).containsExactly(JobKey.path("unique", "damaged")));
  }

  @Test
  void theTombstoneOfAJobHoldsItsIdempotencyKeyAsLongAsItNamesIt() throws Exception {
    submit(9);
    await(ask(9, new JobCommand.Cancel(NOW)));
    await(ask(9, new JobCommand.Delete(NOW)));
    claim("idempotency", "of a deleted job", id(9), "r", NOW);
    await(sweep(Clock.fixed(NOW.plus(JobKey.KEPT), ZoneOffset.UTC), all()).sweep());
    JobKey.Claim another = new JobKey.Claim("another", null, "r", null, NOW);
    JobKey.Holder holder = await(askKey("idempotency", "of a deleted job", another));
    assertThat(holder.job()).as("handled after a release by the sweep").isEqualTo(id(9));
    Clock later = Clock.fixed(NOW.plus(JobKey.KEPT).plus(Duration.ofHours(2)), ZoneOffset.UTC);
    await(sweep(later, all()).sweep());
    Eventually.assertThat(() -> assertThat(kept()).isEmpty());
  }

  @Test
  void keysAreSweptAgainAndAgain() throws Exception {
    KeySweep sweep = sweep(time.clock(), all());
    sweep.start();
    for (String key : List.of("first", "second")) {
      claim("idempotency", key, "a", "r", time.clock().instant().minus(JobKey.KEPT));
      assertThat(kept()).containsExactly(JobKey.path("idempotency", key));
      Eventually.assertThat(
          () -> {
            time.advance(KeySweep.EVERY);
            assertThat(kept()).isEmpty();
          });
    }
    sweep.close();
  }

  private void claim(String kind, String key, String job, String request, Instant at)
      throws Exception {
    await(askKey(kind, key, new JobKey.Claim(job, null, request, null, at)));
  }

  private Future<JobKey.Holder> askKey(String kind, String key, JobKey.Claim claim) {
    return callboard
        .durableRef(JobKey.path(kind, key), JobKey.Claim.class)
        .ask(claim, JobKey.Holder.class, Jobs.ASK);
  }

  private List<String> kept() {
    List<String> paths = new ArrayList<>();
    await(
        callboard
            .admin()
            .stored(
                ActorPath.of(JobKey.PREFIX),
                page ->
                    page.readable().stream()
                        .filter(key -> key.record().newest().isPresent())
                        .forEach(key -> paths.add(key.path().toString()))));
    return paths;
  }

  private KeySweep sweep(Clock clock, Collection<Integer> owned) {
    return new KeySweep(callboard, () -> owned, clock);
  }

  private Collection<Integer> all() {
    return IntStream.range(0, callboard.leases().partitionsOfSpace()).boxed().toList();
  }
}
