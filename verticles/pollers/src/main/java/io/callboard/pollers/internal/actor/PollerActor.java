package io.callboard.pollers.internal.actor;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.pollers.internal.protocol.PollerCommand;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.pollers.internal.target.JobTarget;
import io.callboard.pollers.internal.target.MessageKey;
import io.callboard.pollers.internal.target.WorkflowTarget;
import io.callboard.pollers.model.SourceView;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor of the poller of a source: one {@link Poller} each life. Volatile child of the {@link
 * SourceActor}.
 */
final class PollerActor extends Actor<PollerCommand> {
  private static final Logger log = LoggerFactory.getLogger(PollerActor.class);

  private final SourceParts parts;
  private final Supplier<SourceState> state;
  private @Nullable Poller poller;

  PollerActor(SourceParts parts, Supplier<SourceState> state) {
    this.parts = parts;
    this.state = state;
  }

  @Override
  protected void protocol(Protocol<PollerCommand> on) {
    on.async(PollerCommand.Look.class, look -> inTurn(look()).onSuccess(this::reply))
        .message(PollerCommand.Changed.class, changed -> poller().changed(changed.state()))
        .message(
            PollerCommand.MessageSettled.class,
            settled -> {
              Optional<MessageKey> key = key(settled.receipt().id());
              key.ifPresent(
                  its -> poller().settled(its, WorkflowTarget.outcome(settled.receipt(), true)));
            })
        .message(
            PollerCommand.MessageJobDone.class,
            done -> {
              String text = done.ended().uniqueKey();
              Optional<MessageKey> key = text == null ? Optional.empty() : key(text);
              key.ifPresent(its -> poller().settled(its, JobTarget.outcome(done.ended())));
            });
  }

  private Optional<MessageKey> key(String text) {
    return MessageKey.of(parts.config().name(), text);
  }

  private Future<SourceView> look() {
    return poller().view();
  }

  private Poller poller() {
    return Objects.requireNonNull(poller, "the poller has not started");
  }

  @Override
  protected Future<?> started() {
    Poller made = new Poller(callboard(), parts, state.get());
    poller = made;
    made.start();
    spawnChild(
            SourcePaths.EMIT,
            () -> new EmitActor(made::send),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT))
        .onFailure(
            cause ->
                log.warn("nothing can be sent through source {}", parts.config().name(), cause));
    return Future.succeededFuture();
  }

  @Override
  protected Future<?> stopped() {
    return poller().stop();
  }
}
