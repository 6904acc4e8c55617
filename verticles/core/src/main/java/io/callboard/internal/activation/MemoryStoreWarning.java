package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warning about durable actors on a store in memory that nobody has chosen. Used on the durable
 * context.
 */
final class MemoryStoreWarning {
  private static final Logger log = LoggerFactory.getLogger(MemoryStoreWarning.class);

  private boolean isNews;

  /**
   * @param byDefault whether the store in memory is the default, and so worth a warning
   */
  MemoryStoreWarning(boolean byDefault) {
    isNews = byDefault;
  }

  /** Warns at the first durable actor. */
  void warn(ActorPath actor) {
    if (isNews) {
      isNews = false;
      log.warn(
          "durable actor {} runs on a store in memory, the default: the state and mail of all durable"
              + " actors are lost when this process ends. Set CallboardOptions.store, or run with"
              + " -cluster; to accept the loss and silence this warning, set MemoryStore::new",
          actor);
    }
  }
}
