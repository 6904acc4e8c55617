package io.callboard.internal.ownership;

import io.callboard.store.StoreException;
import io.callboard.supervision.Causes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Denials of the store's access control to this node. Each is logged once, as an error, and stands
 * until the same access is allowed. Thread-safe.
 */
public final class AccessDenials {
  /** Limit of the denials that are kept apart; of further ones only the number is known. */
  static final int MOST = 1_000;

  private static final Logger log = LoggerFactory.getLogger(AccessDenials.class);

  private final Map<Object, String> standing = new LinkedHashMap<>();
  private long further;

  /**
   * @param what an actor, a partition or another thing of the cell
   */
  public synchronized void denied(Object what, Throwable cause) {
    if (standing.containsKey(what)) {
      return;
    }
    if (standing.size() >= MOST) {
      further++;
      return;
    }
    standing.put(what, Causes.message(cause));
    log.error(
        "this node may not access {} and does not try again. Grant the right "
            + "in the store, then restart the node (or call admin().resume for "
            + "each actor concerned): {}",
        what,
        Causes.message(cause));
  }

  /**
   * Notes the outcome of an access.
   *
   * @param failure null if it succeeded; a failure that is no denial is ignored
   */
  public void note(Object what, @Nullable Throwable failure) {
    if (failure == null) {
      allowed(what);
    } else if (StoreException.isDenial(failure)) {
      denied(what, failure);
    }
  }

  /** Clears a denial: the access succeeded. */
  public synchronized void allowed(Object what) {
    if (standing.remove(what) != null) {
      log.info("this node may access {} again", what);
      if (standing.isEmpty()) {
        further = 0;
      }
    }
  }

  /** Returns the standing denials in one line; empty if there are none. */
  public synchronized Optional<String> standing() {
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    Map.Entry<Object, String> first = standing.entrySet().iterator().next();
    long others = standing.size() - 1 + further;
    return Optional.of(
        "this node may not access %s: %s%s"
            .formatted(
                first.getKey(),
                first.getValue(),
                others == 0 ? "" : "; and %d more".formatted(others)));
  }
}
