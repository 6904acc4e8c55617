package io.callboard.internal.activation;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.messaging.NodeRef;
import io.callboard.internal.supervisor.Supervisor;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** Makes the runners of durable actors. */
public interface RunnerFactory {
  /**
   * One that was spawned by name.
   *
   * @param before completes when nothing is left of an actor that had its path here; never fails
   */
  DurableRunner spawned(
      Supervisor supervisor,
      NodeRef<?> ref,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before);

  /** One that its mail starts, below the root supervisor. */
  DurableRunner hosted(
      ActorPath path,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before);
}
