package io.callboard.zookeeper;

import io.callboard.store.StoreException;
import io.vertx.core.Future;
import org.apache.zookeeper.KeeperException;

/** Tells the port's failures from ZooKeeper's. */
final class Errors {
  private Errors() {}

  /** For {@code recover}: {@code what} names what was tried. */
  static <T> Future<T> translate(String what, Throwable cause) {
    return Future.failedFuture(toStore(what, cause));
  }

  static Throwable toStore(String what, Throwable cause) {
    if (!(cause instanceof KeeperException keeper)) {
      return cause;
    }
    return switch (keeper.code()) {
      case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED, SESSIONMOVED, THROTTLEDOP ->
          StoreException.unavailable("%s: %s".formatted(what, keeper.code()), keeper);
      case NOAUTH, AUTHFAILED ->
          StoreException.denied("%s: ZooKeeper denies access to %s".formatted(what, keeper.getPath()), keeper);
      case BADVERSION, NODEEXISTS, NONODE -> StoreException.conflict(what + ": " + keeper.getMessage());
      default -> StoreException.unavailable("%s: %s".formatted(what, keeper.getMessage()), keeper);
    };
  }

  /** Whether the operation may or may not have been applied. */
  static boolean unknown(Throwable cause) {
    return cause instanceof KeeperException keeper
        && switch (keeper.code()) {
          case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED, SESSIONMOVED -> true;
          default -> false;
        };
  }
}
