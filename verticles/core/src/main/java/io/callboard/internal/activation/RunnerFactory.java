package io.callboard.internal.activation;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Factory of the runners of durable actors. */
public interface RunnerFactory {
  /**
   * Makes the runner of an actor that was spawned by name.
   *
   * @param before completes when nothing is left of an earlier actor of its path; never fails
   */
  DurableRunner spawned(
      Supervisor supervisor,
      ActorRefImpl<?> ref,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before);

  /**
   * Makes the runner of a hosted actor, below the root supervisor.
   *
   * @param deleted called with what is stored of the actor once it has deleted itself, if that is
   *     only a record and nothing waits for it: it need not begin anew
   */
  DurableRunner hosted(
      ActorPath path,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before,
      Consumer<StoredRecord> deleted);
}
