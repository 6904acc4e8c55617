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
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers of a node without a scheduler, in a cell that has none yet. */
class WorkerOffersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private Callboard callboard;
  private Jobs jobs;

  record Greeting(String name) {}

  @BeforeEach
  void start() throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "worker-offers-test", UUID.randomUUID().toString()));
    callboard = nodes.open("worker", options -> options.time(time));
    jobs =
        await(
            StartedParts.of(callboard, data, "worker")
                .start(Jobs.part(JobsOptions.DEFAULT.schedules(false))));
  }

  private Future<Void> offer() {
    Future<Void> offered = jobs.handle("greet", Greeting.class, run -> run.args().name());
    for (int round = 0; round < 5; round++) {
      time.advance(Jobs.ASK);
    }
    assertThat(offered.isComplete()).as("no scheduler can answer").isFalse();
    return offered;
  }

  @Test
  void anOfferLastsUntilASchedulerKnowsIt() {
    Future<Void> offered = offer();
    assertThatThrownBy(() -> jobs.handle("greet", Greeting.class, run -> null))
        .hasMessageContaining("offers a handler \"greet\" already");
    await(callboard.host(TypeBacklog.PREFIX, TypeBacklog::new, new ActorOptions().onBus(false)));
    await(callboard.spawn(Gate.PATH, Gate::new, new ActorOptions().onBus(false)));
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(offered.succeeded()).isTrue();
        });
    await(jobs.close());
  }

  @Test
  void anOfferFailsWhenItsNodeClosesBefore() {
    Future<Void> offered = offer();
    await(jobs.close());
    time.advance(Jobs.ASK); // for the question that is under way
    assertThatThrownBy(() -> await(offered)).hasMessageContaining("ended");
  }

  @Test
  void aWorkerLacksNoActorOfASchedulers() {
    assertThat(jobs.actors())
        .containsExactlyInAnyOrder(HostMonitor.path("worker"), IndexActor.path("worker"));
  }
}
