package io.callboard.pollers.internal.actor;

import io.callboard.ActorOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.jobs.model.JobEnded;
import io.callboard.pollers.internal.protocol.PollerCommand;
import io.callboard.pollers.internal.protocol.SourceCommand;
import io.callboard.pollers.internal.protocol.SourceEvent;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor of a source, a role: keeps the mode that operators have set, and totals; receives the ends
 * of what the source's messages started. Its poller is its child.
 */
public final class SourceActor extends PersistentActor<SourceCommand, SourceEvent, SourceState> {
  private static final Logger log = LoggerFactory.getLogger(SourceActor.class);

  private final SourceParts parts;
  private final AtomicReference<SourceState> shown = new AtomicReference<>(SourceState.NEW);

  /** Creates the actor of a source. */
  public SourceActor(SourceParts parts) {
    this.parts = parts;
  }

  @Override
  protected SourceState initial() {
    return SourceState.NEW;
  }

  @Override
  protected SourceState apply(SourceState state, SourceEvent event) {
    return state.after(event);
  }

  @Override
  protected void protocol(Protocol<SourceCommand> on) {
    on.message(SourceCommand.Change.class, this::change)
        .message(SourceCommand.Count.class, count -> persist(new SourceEvent.Counted(count.more())))
        .message(
            SourceCommand.Settled.class,
            settled -> toPoller(new PollerCommand.MessageSettled(settled.receipt())))
        .message(
            SourceCommand.JobDone.class,
            done -> toPoller(new PollerCommand.MessageJobDone(done.ended())))
        .adapt(MessageReceipt.class, SourceCommand.Settled::new)
        .adapt(JobEnded.class, SourceCommand.JobDone::new);
  }

  /** Starts the poller, which asks other actors; so its start is not waited for. */
  @Override
  protected Future<?> started() {
    shown.set(state());
    spawnChild(
            SourcePaths.POLLER,
            () -> new PollerActor(parts, shown::get),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT))
        .onFailure(
            cause ->
                log.warn(
                    "the poller of source {} has not started yet", parts.config().name(), cause));
    return Future.succeededFuture();
  }

  private void change(SourceCommand.Change change) {
    if (state().mode() != change.mode()) {
      Instant at = inOrder(state().at(), change.at());
      persist(new SourceEvent.ModeChanged(change.mode(), change.by(), at));
      SourceState now = state();
      shown.set(now); // a poller that starts meanwhile may be early, and is told the same
      toPoller(new PollerCommand.Changed(now));
    }
    reply(state());
  }

  /** Changes come from nodes whose clocks differ; their times grow all the same. */
  private static Instant inOrder(@Nullable Instant last, Instant next) {
    return last == null || next.isAfter(last) ? next : last.plusMillis(1);
  }

  /** A notice that is lost with the poller is asked for again. */
  private void toPoller(PollerCommand command) {
    tell(callboard().ref(SourcePaths.poller(parts.config().name()), PollerCommand.class), command);
  }
}
