package io.callboard.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Routers;

/**
 * Workflows in plain Pekko, as a careful user would write them: each instance is a persistent
 * actor, each step that has settled is one event of it, and a pool of actors runs the steps. The
 * journal is PostgreSQL by way of persistence-jdbc, which writes the events of many actors in one
 * transaction.
 */
final class PekkoWorkflows extends WorkflowRunner {
  /** Actors of the pool: more than cores, as steps mostly wait in real life. */
  private static final int WORKERS = 32;

  private final HikariDataSource connections;
  private final Pekko pekko;
  private final ActorRef<Begin> instances;

  /** Request to begin an instance. */
  private record Begin(String id) {}

  /** Request to run a step. */
  record Step(int number, ActorRef<PekkoInstance.Message> instance) {}

  /**
   * Starts the system.
   *
   * @param url URL of an empty schema
   */
  PekkoWorkflows(String url) throws Exception {
    connections = JobsPeer.connections(url, 1);
    pekko = new Pekko(withoutSnapshots(PekkoStore.postgres(url)));
    ActorRef<Step> workers = pekko.spawn(Routers.pool(WORKERS, worker()));
    instances = pekko.spawn(instances(workers));
  }

  /** Returns a configuration for actors of eleven events, for which a snapshot is only a cost. */
  private static Config withoutSnapshots(Config store) {
    return ConfigFactory.parseString(
            "pekko.persistence.snapshot-store.plugin = pekko.persistence.no-snapshot-store")
        .withFallback(store);
  }

  private static Behavior<Step> worker() {
    return Behaviors.receiveMessage(
        step -> {
          step.instance().tell(new PekkoInstance.Done(step.number()));
          return Behaviors.same();
        });
  }

  private Behavior<Begin> instances(ActorRef<Step> workers) {
    return Behaviors.receive(
        (context, begin) -> {
          ActorRef<PekkoInstance.Message> instance =
              context.spawn(PekkoInstance.create(begin.id(), workers, this::ended), begin.id());
          instance.tell(new PekkoInstance.Start());
          return Behaviors.same();
        });
  }

  @Override
  void begin() {
    instances.tell(new Begin(UUID.randomUUID().toString()));
  }

  @Override
  void check(long count) throws Exception {
    long events = JobsPeer.count(connections, "SELECT count(*) FROM event_journal");
    if (events != count * (TenSteps.COUNT + 1)) {
      throw new IllegalStateException("%d instances have %d events".formatted(count, events));
    }
  }

  @Override
  public void close() throws Exception {
    super.close();
    pekko.close();
    connections.close();
  }
}
