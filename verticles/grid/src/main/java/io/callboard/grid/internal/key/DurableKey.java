package io.callboard.grid.internal.key;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Key that has at most one holder: one durable actor a key, so that of two claims only one can win.
 * The first claim makes the holder, which stays until a request replaces or releases it. A request
 * is answered with the holder that the key has then.
 *
 * @param <R> requests: claims and releases
 * @param <H> holder of the key, its state; the initial one stands for a free key
 */
public abstract class DurableKey<R, H> extends DurableStateActor<R, H> {
  /** Time for which a key is kept after the end of what it stands for. */
  public static final Duration KEPT = Duration.ofHours(24);

  /** Returns whether the time for which a key is kept after an end is over; false for null. */
  public static boolean isOver(@Nullable Instant ended, Instant now) {
    return ended != null && !ended.plus(KEPT).isAfter(now);
  }

  @Override
  protected final void protocol(Protocol<R> on) {
    on.others(this::decide);
  }

  private void decide(R request) {
    H free = initial();
    if (state().equals(free) || replaces(request, state())) {
      H next = holder(request);
      if (next == null) {
        deleteSelf();
        reply(free);
        return;
      }
      update(next);
      won(request);
    }
    reply(state());
  }

  /** Returns the holder that a claim makes; null for a release. */
  protected abstract @Nullable H holder(R request);

  /** Returns whether a request replaces or releases that holder. */
  protected abstract boolean replaces(R request, H holder);

  /** Does the work that belongs to the turn in which a claim wins. */
  protected void won(R claim) {}
}
