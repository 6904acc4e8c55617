package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.jobs.actor.Gate;
import io.callboard.jobs.actor.HostMonitor;
import io.callboard.jobs.actor.TypeBacklog;
import io.callboard.jobs.index.IndexActor;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.PartTrouble;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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

  @Test
  void offersWithoutASchedulerTakeNoLongerThanOneWait() {
    Future<Void> all =
        offer("greet").compose(v -> offer("praise")).compose(v -> offer("blame")).mapEmpty();
    time.advance(HandlerOffers.PATIENCE.minusMillis(1));
    assertThat(all.isComplete()).as("a scheduler may answer").isFalse();
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofMillis(1));
          assertThat(all.succeeded()).isTrue();
        });
    assertThatThrownBy(() -> offer("greet"))
        .hasMessageContaining("offers a handler \"greet\" already");
    await(jobs.close());
  }

  @Test
  void aSchedulerThatComesLaterKnowsTheOffer() {
    Future<Void> offered = offer("greet");
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(offered.succeeded()).isTrue();
        });
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
  void anOfferThatASchedulerRefusesLateIsWithdrawnAndATrouble() {
    Future<Void> offered = offer(JobType.PROCESS);
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(offered.succeeded()).isTrue();
        });
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

  @Test
  void anOfferFailsWhenItsNodeClosesBefore() {
    Future<Void> offered = offer("greet");
    await(jobs.close());
    assertThatThrownBy(() -> await(offered)).hasMessageContaining("ended");
  }

  @Test
  void aWorkerLacksNoActorOfASchedulers() {
    assertThat(jobs.actors())
        .containsExactlyInAnyOrder(HostMonitor.path("worker"), IndexActor.path("worker"));
  }
}
