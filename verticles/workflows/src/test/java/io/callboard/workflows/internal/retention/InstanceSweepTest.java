package io.callboard.workflows.internal.retention;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredActor;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.internal.index.CellInstances;
import io.callboard.workflows.internal.index.EndedInstance;
import io.callboard.workflows.internal.index.InstanceRecords;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowRetention;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Passes of one node over rows whose instances are played. */
class InstanceSweepTest {
  private static final String PREFIX = "/workflows/i";
  private static final Duration WEEK = Duration.ofDays(7);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<String> removed = new CopyOnWriteArrayList<>();
  private final Set<String> refusing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger awake = new AtomicInteger();
  private final AtomicInteger mostAwake = new AtomicInteger();
  private final Instant now = Instant.now();
  private Callboard node;
  private CellInstances instances;

  /** Hosted actor, so that the node owns the partitions of the space. */
  private static final class Idle extends DurableStateActor<String, String> {
    @Override
    protected String initial() {
      return "";
    }

    @Override
    protected void protocol(Protocol<String> on) {
      on.message(String.class, text -> reply(text));
    }
  }

  /** Records without any. */
  private static final class NoRecords implements InstanceRecords {
    @Override
    public Optional<InstanceRow> row(StoredActor actor) {
      return Optional.empty();
    }

    @Override
    public Future<?> wake(ActorPath instance) {
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void open() {
    node = nodes.open("one");
    instances = new CellInstances(node, PREFIX, new NoRecords(), List::of);
    await(instances.start(new ActorOptions().onBus(false)));
    await(node.host(PREFIX, Idle::new, new ActorOptions().onBus(false)));
    instances.hosted();
    Eventually.assertThat(
        () ->
            assertThat(await(instances.peers().ended(0, SweepRows.order(now))).complete())
                .isTrue());
  }

  @AfterEach
  void close() {
    await(instances.close());
  }

  private InstanceSweep sweep(int most, Duration age) {
    return sweep(most, age, EndedArchive.NONE);
  }

  private InstanceSweep sweep(int most, Duration age, EndedArchive archive) {
    return new InstanceSweep(
        node,
        instances.here(),
        instances.peers(),
        new WorkflowRetention(most, age),
        archive,
        this::remove);
  }

  /** Archive that is away, or refuses some. */
  private final class PlayedArchive implements EndedArchive {
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final AtomicInteger tidied = new AtomicInteger();
    private volatile boolean away;

    @Override
    public Future<Set<EndedInstance>> write(List<EndedInstance> all) {
      if (away) {
        return Future.failedFuture("the archive is away");
      }
      assertThat(removed).doesNotContainAnyElementsOf(all.stream().map(EndedInstance::id).toList());
      List<EndedInstance> safe =
          all.stream().filter(each -> !refusing.contains(each.id())).toList();
      safe.forEach(each -> written.add(each.id()));
      return Future.succeededFuture(Set.copyOf(safe));
    }

    @Override
    public Future<Boolean> tidy() {
      return Future.succeededFuture(tidied.incrementAndGet() == 1);
    }
  }

  private Future<Boolean> remove(EndedInstance instance) {
    int number = awake.incrementAndGet();
    mostAwake.accumulateAndGet(number, Math::max);
    Promise<Boolean> done = Promise.promise();
    node.vertx()
        .runOnContext(
            v -> {
              awake.decrementAndGet();
              if (refusing.contains(instance.id())) {
                done.fail("it cannot start");
              } else {
                removed.add(instance.id());
                done.complete(true);
              }
            });
    return done.future();
  }

  private InstanceRow add(int number, InstanceState state, String parent) {
    InstanceRow row = SweepRows.row(number, state, parent, now.minusSeconds(10_000 - number));
    instances.is(row);
    return row;
  }

  private static List<String> ids(IntStream numbers) {
    return numbers.mapToObj(SweepRows::id).toList();
  }

  @Test
  void pagesGoInOrderAndFewInstancesAreAwake() {
    for (int number = 0; number < 450; number++) {
      add(number, number < 50 ? InstanceState.FAILED : InstanceState.SUCCEEDED, null);
    }
    InstanceSweep sweep = sweep(40, WEEK);
    assertThat(await(sweep.pass())).isTrue();
    assertThat(removed).containsExactlyInAnyOrderElementsOf(ids(IntStream.range(50, 250)));
    assertThat(await(sweep.pass())).isTrue();
    assertThat(await(sweep.pass())).isFalse();
    List<String> gone = new ArrayList<>(ids(IntStream.range(50, 450)));
    gone.addAll(ids(IntStream.range(0, 10)));
    assertThat(removed).containsExactlyInAnyOrderElementsOf(gone);
    assertThat(await(sweep.pass())).isFalse();
    assertThat(removed).hasSize(410);
    assertThat(mostAwake).hasValueBetween(1, InstanceSweep.AWAKE);
  }

  @Test
  void anInstanceThatIsTooOldGoesInAnyState() {
    for (int number = 0; number < 10; number++) {
      InstanceState state = number % 2 == 0 ? InstanceState.FAILED : InstanceState.SUCCEEDED;
      instances.is(SweepRows.row(number, state, null, now.minus(Duration.ofHours(20 - number))));
    }
    InstanceSweep sweep = sweep(100, Duration.ofHours(15));
    assertThat(await(sweep.pass())).isFalse();
    assertThat(removed).contains(SweepRows.id(0), SweepRows.id(4)).doesNotContain(SweepRows.id(9));
  }

  @Test
  void anInstanceThatCannotBeRemovedDoesNotKeepOthers() {
    for (int number = 0; number < 450; number++) {
      InstanceRow row = add(number, InstanceState.SUCCEEDED, null);
      if (number < 300) {
        refusing.add(row.id());
      }
    }
    InstanceSweep sweep = sweep(0, WEEK);
    for (int pass = 0; pass < 4; pass++) {
      assertThat(await(sweep.pass())).isNotNull();
    }
    assertThat(removed).containsExactlyInAnyOrderElementsOf(ids(IntStream.range(300, 450)));
  }

  @Test
  void noInstanceIsRemovedBeforeTheArchiveHasIt() {
    for (int number = 0; number < 30; number++) {
      InstanceRow row = add(number, InstanceState.SUCCEEDED, null);
      if (number < 10) {
        refusing.add(row.id());
      }
    }
    add(30, InstanceState.RUNNING, null);
    add(31, InstanceState.SUCCEEDED, SweepRows.id(30));
    PlayedArchive archive = new PlayedArchive();
    InstanceSweep sweep = sweep(0, WEEK, archive);
    archive.away = true;
    assertThatThrownBy(() -> await(sweep.pass())).hasMessage("the archive is away");
    assertThat(removed).isEmpty();
    archive.away = false;
    assertThat(await(sweep.pass())).as("the archive has more to do").isTrue();
    assertThat(await(sweep.pass())).isFalse();
    assertThat(removed)
        .containsExactlyInAnyOrderElementsOf(ids(IntStream.range(10, 30)))
        .isSubsetOf(archive.written);
    assertThat(archive.written).as("a child of what runs").doesNotContain(SweepRows.id(31));
  }

  @Test
  void childrenOfRunningInstancesStay() {
    InstanceRow parent = add(0, InstanceState.RUNNING, null);
    for (int number = 1; number <= 250; number++) {
      add(number, InstanceState.SUCCEEDED, parent.id());
    }
    for (int number = 251; number <= 260; number++) {
      add(number, InstanceState.SUCCEEDED, SweepRows.id(9_999)); // of a parent that is gone
    }
    InstanceSweep sweep = sweep(0, WEEK);
    for (int pass = 0; pass < 3; pass++) {
      assertThat(await(sweep.pass())).isNotNull();
    }
    assertThat(removed).containsExactlyInAnyOrderElementsOf(ids(IntStream.rangeClosed(251, 260)));
    instances.is(SweepRows.row(0, InstanceState.SUCCEEDED, null, now, 2));
    InstanceSweep later = sweep(0, WEEK); // which has held nothing yet
    for (int pass = 0; pass < 3; pass++) {
      assertThat(await(later.pass())).isNotNull();
    }
    assertThat(removed).hasSize(261);
  }
}
