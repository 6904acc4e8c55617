package io.callboard.zookeeper;

import io.callboard.store.StoreException;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** An ensemble that does not answer, or that ended a session it no longer knew. */
public final class EnsembleOutage {
  private static final int MOST_CAUSES = 20;

  private EnsembleOutage() {}

  /**
   * Returns whether {@code failure}, or one of its first {@value #MOST_CAUSES} causes, comes from
   * such an outage.
   */
  public static boolean isCauseOf(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      if (isOne(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isOne(Throwable cause) {
    return (cause instanceof StoreException store
            && store.kind() == StoreException.Kind.UNAVAILABLE)
        || cause instanceof KeeperException.ConnectionLossException
        || cause instanceof KeeperException.SessionExpiredException
        || cause instanceof KeeperException.OperationTimeoutException
        || cause instanceof TimeoutException;
  }
}
