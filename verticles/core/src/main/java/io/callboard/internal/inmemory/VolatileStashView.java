package io.callboard.internal.inmemory;

import io.callboard.CallboardException;
import io.callboard.StashView;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.lifecycle.TurnGuard;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.messaging.DeadLetters;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** View of a volatile actor's {@link Stash}. Used on the actor's context only. */
final class VolatileStashView implements StashView<Object> {
  private final TurnGuard guard;
  private final Supplier<Stash> stash;
  private final DeadLetters deadLetters;
  private final ActorPath path;

  VolatileStashView(
      TurnGuard guard, Supplier<Stash> stash, DeadLetters deadLetters, ActorPath path) {
    this.guard = guard;
    this.stash = stash;
    this.deadLetters = deadLetters;
    this.path = path;
  }

  private Stash stash(String what) {
    guard.needActor(what);
    return stash.get();
  }

  @Override
  public int size() {
    return stash("stashed().size").aside().size();
  }

  @Override
  public int capacity() {
    return stash("stashed().capacity").limit();
  }

  @Override
  public List<Object> messages() {
    return stash("stashed().messages").aside().stream()
        .map(item -> Delivery.from(item).message())
        .toList();
  }

  @Override
  public int clear(CallboardException why) {
    Objects.requireNonNull(why, "why is null: give the cause that the callers get");
    List<Object> cleared = stash("stashed().clear").takeAside();
    cleared.forEach(item -> deadLetters.lose(path, Delivery.from(item).untied(), why));
    return cleared.size();
  }
}
