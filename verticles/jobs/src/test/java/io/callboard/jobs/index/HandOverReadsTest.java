package io.callboard.jobs.index;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobObserver;
import io.callboard.jobs.actor.Tombstone;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.protocol.JobAnswer;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.store.Store;
import io.callboard.store.StoredActors;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records of jobs that a node reads when it gains partitions, counted at its store. */
class HandOverReadsTest {
  private static final int JOBS = 200;
  private static final Map<JobState, Long> QUEUED = Map.of(JobState.QUEUED, (long) JOBS);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ActorOptions OPTIONS = new ActorOptions().onBus(false);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final LocalQuestions questions = new LocalQuestions();

  /** Node with its index. */
  private final class Indexed {
    final AtomicInteger records = new AtomicInteger();
    final Callboard node;
    final CellIndex index;
    final Muffled observer;

    Indexed(String name) {
      node = nodes.open(name, options -> options.store(() -> counting(records)));
      index = new CellIndex(node, job -> {}, questions);
      observer = new Muffled(index);
      questions.add(node);
      await(index.start(OPTIONS));
      await(
          node.host(
              JobActor.PREFIX,
              () -> new JobActor(Clock.systemUTC(), new SplittableRandom(1), observer),
              OPTIONS));
    }

    /** Waits until it owns all partitions and has that many jobs in each state. */
    void hasAll(Map<JobState, Long> expected) {
      Eventually.assertThat(
          LONG,
          () -> {
            assertThat(index.here().coverage().epochs()).hasSize(index.here().partitions());
            assertThat(index.here().tally("n", "b").byType())
                .isEqualTo(Map.of("process", expected));
          });
    }

    Future<JobAnswer> ask(int number, JobCommand command) {
      return node.durableRef(JobActor.path(SampleJobs.id(number)), JobCommand.class)
          .ask(command, JobAnswer.class, LONG);
    }

    void submit() {
      List<Future<JobAnswer>> asked = new ArrayList<>();
      for (int number = 0; number < JOBS; number++) {
        asked.add(
            ask(
                number,
                new JobCommand.Submit(
                    SampleJobs.id(number),
                    JobSpec.process("process", List.of("true")),
                    SampleJobs.NOW)));
      }
      await(Future.all(asked));
    }

    /** Hands all partitions over; returns how many records the next owner read for that. */
    int leave(Indexed next, Map<JobState, Long> expected) {
      Eventually.assertThat(LONG, () -> assertThat(index.peers().members()).hasSize(2));
      int before = next.records.get();
      await(next.node.leases().drain(false)); // it may have left before
      await(index.leave());
      next.hasAll(expected);
      return next.records.get() - before;
    }
  }

  /** Observer that can keep from the index that a change was committed. */
  private static final class Muffled implements JobObserver {
    private final CellIndex index;
    private volatile boolean muffled;

    Muffled(CellIndex index) {
      this.index = index;
    }

    @Override
    public Runnable begins(String job) {
      Runnable known = index.begins(job);
      return () -> {
        if (!muffled) {
          known.run();
        }
      };
    }

    @Override
    public void is(Job job) {
      if (!muffled) {
        index.is(job);
      }
    }

    @Override
    public void remains(String job, Tombstone tombstone) {
      index.remains(job, tombstone);
    }

    @Override
    public void gone(String job, long version) {
      index.gone(job, version);
    }
  }

  private Store counting(AtomicInteger records) {
    Store store = new MemoryStore(nodes.cell());
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, given) -> {
              if (method.getName().equals("actor")) {
                records.incrementAndGet();
              } else if (method.getName().equals("eachActor")) {
                given[given.length - 1] = counting(given[given.length - 1], records);
              }
              try {
                return method.invoke(store, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("unchecked") // by the signature of eachActor
  private static Function<StoredActors, Future<Void>> counting(Object page, AtomicInteger records) {
    Function<StoredActors, Future<Void>> all = (Function<StoredActors, Future<Void>>) page;
    return stored -> {
      records.addAndGet(
          (int) stored.readable().stream().filter(each -> each.path().isWithin(STORED)).count());
      return all.apply(stored);
    };
  }

  /** Returns the first node, which has all jobs. */
  private Indexed filled() {
    Indexed first = new Indexed("first");
    first.submit();
    first.hasAll(QUEUED);
    return first;
  }

  @Test
  void aNodeThatGainsPartitionsReadsTheRecordsThatMayHaveChangedAlone() {
    Indexed first = filled();
    Indexed second = new Indexed("second");
    assertThat(first.leave(second, QUEUED)).as("joining").isZero();
    assertThat(second.records).as("since its start").hasValue(0);
    assertThat(second.leave(first, QUEUED)).as("away and back").isZero();

    first.observer.muffled = true; // as if a life ended between its commit and its report
    await(first.ask(7, new JobCommand.Cancel(SampleJobs.NOW)));
    first.hasAll(QUEUED);
    assertThat(first.leave(second, Map.of(JobState.QUEUED, JOBS - 1L, JobState.CANCELLED, 1L)))
        .as("one has changed")
        .isEqualTo(1);
  }

  /** A node that stops: its index does not answer any more when its departure has ended. */
  @Test
  void aNodeThatStopsHandsOverBeforeItsIndexIsClosed() {
    Indexed first = filled();
    Indexed second = new Indexed("second");
    Eventually.assertThat(LONG, () -> assertThat(first.index.peers().members()).hasSize(2));
    await(first.index.leave(LONG, LONG)); // else a pause of the machine ends it
    questions.remove(first.node);
    await(first.index.close());
    second.hasAll(QUEUED);
    assertThat(second.records).hasValue(0);
  }

  @Test
  void aDepartureEndsIfNobodyTakesWhatIsLeft() {
    Indexed first = filled();
    nodes.open("second"); // which hosts no jobs
    Eventually.assertThat(LONG, () -> assertThat(first.index.peers().members()).hasSize(2));
    await(first.index.leave());
    assertThat(first.index.here().coverage().epochs()).hasSize(first.index.here().partitions());
  }

  @Test
  void withoutItsFormerOwnerAllRecordsOfAPartitionAreRead() {
    Indexed first = filled();
    Indexed second = new Indexed("second");
    questions.remove(first.node);
    assertThat(first.leave(second, QUEUED)).isEqualTo(JOBS);
  }
}
