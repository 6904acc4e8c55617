package io.callboard.internal.durable;

import io.callboard.CallboardException;
import io.callboard.StashView;
import java.util.List;

/** View of a durable actor's stash, whose messages are in its mailbox. */
final class DurableStashView implements StashView<Object> {
  private final DurableActorContext scope;
  private final int capacity;

  DurableStashView(DurableActorContext scope, int capacity) {
    this.scope = scope;
    this.capacity = capacity;
  }

  @Override
  public int size() {
    return scope.lyingAside();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public List<Object> messages() {
    throw new UnsupportedOperationException(
        "%s is durable, and its stashed messages are in its mailbox: read them with waiting(…)"
            .formatted(scope.self().path()));
  }

  @Override
  public int clear(CallboardException why) {
    throw new UnsupportedOperationException(
        "%s is durable, and a message is consumed only by the turn that handles it: unstash the messages and refuse each"
            .formatted(scope.self().path()));
  }
}
