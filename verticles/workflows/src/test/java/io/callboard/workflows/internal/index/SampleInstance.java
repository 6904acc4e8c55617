package io.callboard.workflows.internal.index;

import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.store.StoredActor;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import java.util.Optional;

/** Event-sourced actor that reports a row after each change, and writes a snapshot at its end. */
final class SampleInstance
    extends PersistentActor<
        SampleInstance.SampleCommand, SampleInstance.SampleChanged, SampleInstance.SampleState> {
  private final InstanceObserver observer;

  SampleInstance(InstanceObserver observer) {
    this.observer = observer;
  }

  /** Command of the actor. */
  sealed interface SampleCommand {
    /** Sets the state. */
    record Set(InstanceState state) implements SampleCommand {}

    /** Asks for the state. */
    record Look() implements SampleCommand {}
  }

  /** Event of the actor. */
  record SampleChanged(InstanceState state) {}

  /** State of the actor. */
  record SampleState(long change, InstanceState state) {
    InstanceRow row(String id) {
      return SampleRows.row(Integer.parseInt(id.substring(15, 18), 16), change, state);
    }
  }

  static Optional<InstanceRow> stored(StoredActor actor) {
    return actor.record().state(SampleState.class).map(state -> state.row(actor.path().name()));
  }

  @Override
  protected SampleState initial() {
    return new SampleState(0, InstanceState.RUNNING);
  }

  @Override
  protected SampleState apply(SampleState before, SampleChanged event) {
    return new SampleState(before.change() + 1, event.state());
  }

  @Override
  protected boolean snapshotWhen(SampleState state, SampleChanged event) {
    return state.state() != InstanceState.RUNNING;
  }

  @Override
  protected Future<?> started() {
    if (state().change() > 0) {
      observer.is(state().row(path().name()));
    }
    return Future.succeededFuture();
  }

  @Override
  protected void protocol(Protocol<SampleCommand> on) {
    on.message(
            SampleCommand.Set.class,
            e -> {
              persist(new SampleChanged(e.state()));
              InstanceRow row = state().row(path().name());
              afterCommit(() -> observer.is(row));
              reply(state());
            })
        .message(SampleCommand.Look.class, e -> reply(state()));
  }
}
