package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.admin.CallboardAdmin;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobKey;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.protocol.JobAnswer;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.store.Limits;
import io.callboard.store.StoredActors;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IndexFeedTest {
  private static final int JOBS = 3 * Limits.PAGE_ACTORS;
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(NOW);
  private final JobIndex index = new JobIndex();

  /** Maximum number of records held by each reading of all jobs. */
  private final List<Integer> readings = new CopyOnWriteArrayList<>();

  private Callboard callboard;

  @BeforeEach
  void start() throws Exception {
    callboard = nodes.open("h1", options -> options.time(time));
    await(
        callboard.host(
            JobActor.PREFIX,
            () -> new JobActor(Clock.systemUTC(), new SplittableRandom(1), (topic, news) -> {}),
            new ActorOptions().onBus(false)));
    await(callboard.host(JobKey.PREFIX, JobKey::new, new ActorOptions().onBus(false)));
  }

  private void submit(int number) throws Exception {
    await(
        ask(
            number,
            new JobCommand.Submit(id(number), JobSpec.process("process", List.of("true")), NOW)));
  }

  /** Returns a view of the node that counts the stored actors read. */
  private Callboard counted() {
    CallboardAdmin admin =
        instead(CallboardAdmin.class, callboard.admin(), "stored", 2, this::read);
    return instead(Callboard.class, callboard, "admin", 0, given -> admin);
  }

  private static <T> T instead(
      Class<T> type, T of, String name, int parameters, Function<Object[], Object> call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              try {
                return method.getName().equals(name) && method.getParameterCount() == parameters
                    ? call.apply(given)
                    : method.invoke(of, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @SuppressWarnings("unchecked")
  private Future<Void> read(Object[] given) {
    Consumer<StoredActors> page = (Consumer<StoredActors>) given[1];
    List<Integer> sizes = new ArrayList<>(List.of(0));
    return callboard
        .admin()
        .stored(
            (ActorPath) given[0],
            some -> {
              assertThat(Context.isOnEventLoopThread()).as("records are parsed here").isFalse();
              sizes.add(some.readable().size());
              page.accept(some);
            })
        .onComplete(done -> readings.add(sizes.stream().mapToInt(n -> n).max().orElseThrow()));
  }

  @Test
  void readsAPageAtATimeAndOnceForASwarmOfChanges() throws Exception {
    for (int i = 0; i < JOBS; i++) {
      submit(i);
    }
    Callboard watched = counted();
    IndexFeed feed = new IndexFeed(watched, index, IndexFeed.SETTLE, (id, tombstone) -> {});
    await(feed.start());
    assertThat(index.size()).isEqualTo(JOBS);
    assertThat(readings).hasSize(1).allMatch(held -> held <= Limits.PAGE_ACTORS);

    submit(JOBS);
    for (int i = 0; i < 20; i++) {
      feed.membersChanged();
    }
    time.advance(IndexFeed.SETTLE.minusMillis(1));
    assertThat(readings).as("the members may go on changing").hasSize(1);
    time.advance(IndexFeed.SETTLE);
    Eventually.assertThat(() -> assertThat(index.size()).isEqualTo(JOBS + 1));
    Eventually.assertThat(() -> assertThat(readings).hasSize(2));
    feed.membersChanged();
    time.advance(IndexFeed.SETTLE.multipliedBy(2));
    Eventually.assertThat(() -> assertThat(readings).hasSize(3));
    feed.close();
  }

  @Test
  void readsAllAgainNowAndThenUntilItIsClosed() throws Exception {
    IndexFeed feed = new IndexFeed(counted(), index, IndexFeed.SETTLE, (id, tombstone) -> {});
    await(feed.start());
    for (int again = 2; again <= 4; again++) {
      int wanted = again;
      submit(again); // nobody announces it
      time.advance(IndexFeed.RESYNC);
      Eventually.assertThat(() -> assertThat(readings).hasSize(wanted));
      Eventually.assertThat(() -> assertThat(index.get(id(wanted))).isPresent());
    }
    feed.close();
    time.advance(IndexFeed.RESYNC.multipliedBy(2));
    assertThat(readings).hasSize(4);
  }

  @Test
  void whatIsThereNoMoreLeavesTheIndex() throws Exception {
    submit(1);
    submit(2);
    index.put(job("vanished", JobState.SUCCEEDED, NOW));
    List<String> tombstones = new CopyOnWriteArrayList<>();
    IndexFeed feed =
        new IndexFeed(callboard, index, IndexFeed.SETTLE, (id, tombstone) -> tombstones.add(id));
    await(feed.start());
    assertThat(index.get("vanished")).as("a reading may be of a moment before it").isPresent();

    Job first = index.get(id(1)).orElseThrow();
    await(ask(1, new JobCommand.Cancel(NOW)));
    await(ask(1, new JobCommand.Delete(NOW.plus(Duration.ofDays(1)))));
    feed.refresh();
    Eventually.assertThat(() -> assertThat(index.ids()).containsExactly(id(2)));
    assertThat(tombstones).containsExactly(id(1));
    Eventually.assertThat(() -> assertThat(index.tombstones()).isEqualTo(1));
    index.put(first);
    assertThat(index.ids()).as("what comes late is old").containsExactly(id(2));
    feed.close();
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
  void keysThatAreOverAreLetGoOf() throws Exception {
    Clock nextDay = Clock.fixed(NOW.plus(JobKey.KEPT), ZoneOffset.UTC);
    claim("idempotency", "old", "a", "r", NOW);
    claim("idempotency", "young", "b", "r", NOW.plusSeconds(1));
    claim("unique", "ended", "c", null, NOW);
    claim("unique", "live", "d", null, NOW);
    index.put(job("c", JobState.SUCCEEDED, NOW));
    index.put(job("d", JobState.RUNNING, null));
    submit(7); // the index does not know it
    claim("unique", "unknown here", id(7), null, NOW);
    submit(8); // the index does not know that it runs again
    claim("unique", "again", id(8), null, NOW);
    index.put(job(id(8), JobState.SUCCEEDED, NOW));

    await(new KeySweep(callboard, index, nextDay).sweep());

    Eventually.assertThat(
        () ->
            assertThat(kept())
                .containsExactlyInAnyOrder(
                    JobKey.path("idempotency", "young"),
                    JobKey.path("unique", "live"),
                    JobKey.path("unique", "unknown here"),
                    JobKey.path("unique", "again")));
  }

  @Test
  void keysAreSweptAgainAndAgain() throws Exception {
    KeySweep sweep = new KeySweep(callboard, index, time.clock());
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
    await(
        callboard
            .durableRef(JobKey.path(kind, key), JobKey.Claim.class)
            .ask(new JobKey.Claim(job, null, request, at), JobKey.Holder.class, Jobs.ASK));
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

  private static Job job(String id, JobState state, Instant endedAt) {
    return new Job(
        id,
        "process",
        state,
        5,
        List.of("true"),
        NOW,
        NOW,
        endedAt,
        null,
        List.of(),
        Map.of(),
        "key",
        null,
        1);
  }
}
