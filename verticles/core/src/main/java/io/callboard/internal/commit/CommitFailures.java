package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.context.TransientFailure;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.StoreException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consequences of a refused commit for the life of a durable actor. */
public final class CommitFailures {
  private static final Logger log = LoggerFactory.getLogger(CommitFailures.class);

  private CommitFailures() {}

  /**
   * Returns whether another node owns the actor now; if so, this node gives the actor up.
   *
   * @param onFenced called with the actor in that case
   */
  public static boolean givesUp(
      Consumer<ActorPath> onFenced, ActorPath actor, Result.Failed failed) {
    if (failed.reason() != Reason.FENCED) {
      return false;
    }
    log.info("another node owns {} now: this node stops it", actor);
    onFenced.accept(actor);
    return true;
  }

  /**
   * Returns the failure that ends the life of the actor.
   *
   * @param what the subject of the commit
   */
  public static Throwable cause(String what, Result.Failed failed) {
    String text = "%s was not committed, %s: %s".formatted(what, failed.reason(), failed.detail());
    return switch (failed.reason()) {
      case DENIED -> StoreException.denied(text, null);
      case STALE -> TransientFailure.of(StoreException.conflict(text));
      default -> new IllegalStateException(text);
    };
  }
}
