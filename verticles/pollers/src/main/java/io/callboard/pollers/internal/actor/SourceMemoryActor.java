package io.callboard.pollers.internal.actor;

import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.pollers.internal.protocol.MemoryChanged;
import io.callboard.pollers.internal.protocol.MemoryCommand;
import io.callboard.pollers.internal.protocol.MemoryState;
import io.callboard.pollers.source.SourceMemory;

/** Durable actor with the memory of one source, which operators do not see. */
public final class SourceMemoryActor
    extends PersistentActor<MemoryCommand, MemoryChanged, MemoryState> {
  /** Path prefix of these actors. */
  public static final String PREFIX = "/sources/memory";

  static String path(String source) {
    return PREFIX + "/" + source;
  }

  @Override
  protected MemoryState initial() {
    return MemoryState.EMPTY;
  }

  @Override
  protected MemoryState apply(MemoryState state, MemoryChanged event) {
    return state.after(event);
  }

  @Override
  protected void protocol(Protocol<MemoryCommand> on) {
    on.message(MemoryCommand.Recall.class, recall -> reply(state()))
        .message(MemoryCommand.Remember.class, this::remember);
  }

  private void remember(MemoryCommand.Remember change) {
    MemoryChanged event = new MemoryChanged(change.puts(), change.removed());
    int before = state().keys().size();
    int after = state().after(event).keys().size();
    boolean isFull = after > before && after > SourceMemory.MOST_KEYS;
    if (!isFull) {
      persist(event);
    }
    reply(new MemoryCommand.Remembered(isFull ? before : after, isFull));
  }
}
