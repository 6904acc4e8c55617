package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.codecs.MessageType;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.call.OfferedHandler;
import io.callboard.jobs.internal.index.IndexActor;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.PartTrouble;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers of a node without a scheduler, in a cell that has none yet. */
class WorkerOffersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private Callboard callboard;
  private StartedParts parts;
  private Jobs jobs;

  record Greeting(String name) {}

  @BeforeEach
  void start() throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "worker-offers-test", UUID.randomUUID().toString()));
    callboard = nodes.open("worker", options -> options.time(time));
    parts = StartedParts.of(callboard, data, "worker");
    jobs = await(parts.start(Jobs.part(JobsOptions.DEFAULT.schedules(false))));
  }

  private Future<Void> offer(String name) {
    return jobs.handle(name, Greeting.class, run -> run.args().name());
  }

  private void schedule() {
    ActorOptions own = new ActorOptions().onBus(false);
    await(callboard.host(TypeBacklog.PREFIX, TypeBacklog::new, own));
    await(callboard.spawn(Gate.PATH, Gate::new, own));
  }

  private void passes(Duration all) {
    for (long ms = 0; ms < all.toMillis(); ms += 500) {
      time.advance(Duration.ofMillis(500));
    }
  }

  private List<PartTrouble> troubles() {
    return await(parts.troubles("jobs"));
  }

  private void waitsForAScheduler(Future<Void> offered) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(offered.succeeded()).isTrue();
        });
  }

  @Test
  void withoutASchedulerTheFirstOfferWaitsInFullAndTheNextOnesBriefly() {
    time.stillness(Stillness.of(callboard));
    Future<Void> all =
        offer("greet").compose(v -> offer("praise")).compose(v -> offer("blame")).mapEmpty();
    time.advance(HandlerOffers.PATIENCE.minusMillis(1));
    assertThat(all.isComplete()).as("a scheduler may answer").isFalse();
    time.advance(Duration.ofMillis(1));
    time.advance(HandlerOffers.LEAST_PATIENCE.multipliedBy(2).minusMillis(1));
    assertThat(all.isComplete()).as("each is reported and may be answered").isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(all.succeeded()).isTrue();
    assertThatThrownBy(() -> offer("greet"))
        .hasMessageContaining("offers a handler \"greet\" already");
    await(jobs.close());
  }

  @Test
  void aSchedulerThatComesLaterKnowsTheOffer() {
    waitsForAScheduler(offer("greet"));
    assertThat(troubles()).isEmpty();
    passes(Duration.ofMinutes(2));
    assertThat(troubles())
        .singleElement()
        .satisfies(
            trouble -> {
              assertThat(trouble.subject()).isEqualTo("handler \"greet\"");
              assertThat(trouble.cause()).startsWith("no scheduler knows that this node offers it");
            });
    schedule();
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(await(jobs.types())).extracting(JobType::handler).contains("greet");
          assertThat(troubles()).isEmpty();
        });
    await(jobs.close());
  }

  @Test
  void anOfferThatASchedulerRefusesLateIsWithdrawnAndReported() {
    waitsForAScheduler(offer(JobType.PROCESS));
    schedule();
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(troubles())
              .extracting(PartTrouble::cause)
              .containsExactly(
                  "this node offers it no more: the job type \"process\" is of processes: give the handler another name");
        });
    assertThatThrownBy(() -> await(offer(JobType.PROCESS))).hasMessageContaining("is of processes");
    assertThat(troubles()).as("it was told").isEmpty();
    await(jobs.close());
  }

  /** The time for which offers wait together has passed when the scheduler starts. */
  @Test
  void anOfferIsAnsweredByASchedulerThatStartedWhileAnotherWaited() {
    waitsForAScheduler(offer("greet"));
    schedule();
    assertThatThrownBy(() -> await(offer(JobType.PROCESS))).hasMessageContaining("is of processes");
    assertThat(await(jobs.types())).extracting(JobType::handler).contains("greet");
    assertThat(troubles()).isEmpty();
    await(jobs.close());
  }

  private long waiting(Class<? extends GateCommand> kind) {
    return await(callboard.admin().waiting(Gate.PATH, 1000)).stream()
        .filter(message -> MessageType.of(kind).equals(message.type()))
        .count();
  }

  @Test
  void handlersThatWaitAreReportedTogetherUntilItIsKnownThatNobodyReads() {
    time.stillness(Stillness.of(callboard));
    for (int i = 0; i < 30; i++) {
      Future<Void> unused = offer("handler-" + i);
    }
    time.advance(Duration.ofMinutes(2));
    long questions = waiting(GateCommand.Look.class);
    assertThat(questions).as("of those that were offered").isBetween(1L, 29L);
    time.advance(Duration.ofMinutes(10));
    assertThat(waiting(GateCommand.Look.class)).isEqualTo(questions);
    await(jobs.close());
  }

  /** A report is made every 10 s, and another with each question. */
  @Test
  void reportsAndQuestionsDoNotPileUpWhileNoSchedulerReadsThem() {
    time.stillness(Stillness.of(callboard));
    Future<Void> early = offer("greet");
    time.advance(Duration.ofMinutes(2));
    long reports = waiting(GateCommand.Report.class);
    long questions = waiting(GateCommand.Look.class);
    assertThat(early.succeeded()).isTrue();
    assertThat(reports).isBetween(1L, 2L * ReportPace.MOST);
    assertThat(questions).isBetween(1L, 20L);
    Future<Void> late = offer("praise");
    time.advance(Duration.ofHours(3)); // with the sweeps of run files, which ask, too
    assertThat(waiting(GateCommand.Report.class)).isEqualTo(reports);
    assertThat(waiting(GateCommand.Look.class)).isEqualTo(questions);
    assertThat(late.succeeded()).isTrue();
    assertThat(troubles())
        .hasSize(2)
        .allSatisfy(trouble -> assertThat(trouble.cause()).contains("does not read its mail"));
    schedule();
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(await(jobs.types()))
              .as("of a report that was made since")
              .extracting(JobType::handler)
              .contains("greet", "praise");
          assertThat(troubles()).isEmpty();
        });
    await(jobs.close());
  }

  @Test
  void anOfferThatIsRepeatedOnceTheRefusedOneIsWithdrawnLeavesNoTrouble() {
    AtomicReference<HandlerOffers> offers = new AtomicReference<>();
    List<Future<Void>> offered = new CopyOnWriteArrayList<>();
    offers.set(
        new HandlerOffers(
            callboard,
            Future::succeededFuture,
            new GateClient(callboard),
            withdrawn -> {
              if (offered.size() < 2) { // at once, as another thread may
                offered.add(offers.get().add(withdrawn));
              }
            }));
    offered.add(
        offers
            .get()
            .add(
                new OfferedHandler<>(
                    JobType.PROCESS, Greeting.class, HandlerOptions.DEFAULT, run -> null)));
    waitsForAScheduler(offered.get(0));
    schedule();
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(offered).hasSize(2);
        });
    assertThatThrownBy(() -> await(offered.get(1))).hasMessageContaining("is of processes");
    assertThat(offers.get().troubles()).as("it was told").isEmpty();
    offers.get().close();
    await(jobs.close());
  }

  @Test
  void anOfferFailsWhenItsNodeClosesBefore() {
    Future<Void> offered = offer("greet");
    await(jobs.close());
    assertThatThrownBy(() -> await(offered)).hasMessageContaining("ended");
  }

  @Test
  void aWorkerListsOnlyItsOwnActors() {
    assertThat(jobs.actors())
        .containsExactlyInAnyOrder(HostMonitor.path("worker"), IndexActor.path("worker"));
  }
}
