package io.callboard.zookeeper.internal.client;

import io.callboard.codecs.CodecException;
import io.callboard.store.CommitOutcome;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;

/** Translation of ZooKeeper's failures into those of the port. */
public final class Errors {
  private Errors() {}

  /**
   * Returns a future that fails with the translated cause, for {@code recover}; {@code what} begins
   * its message.
   */
  public static <T> Future<T> translate(String what, Throwable cause) {
    return Future.failedFuture(toStore(what, cause));
  }

  /**
   * Returns the outcome of a commit that failed before it could be refused.
   *
   * @param denied the refusal of a commit that needs the znode of that path
   */
  public static CommitOutcome outcome(
      Throwable cause, Function<String, CommitOutcome.Refused> denied) {
    if (cause instanceof KeeperException.NoAuthException denial) {
      return denied.apply(String.valueOf(denial.getPath()));
    }
    return new CommitOutcome.Unknown(cause);
  }

  /**
   * Returns the failure of the port for one of ZooKeeper or of decoding.
   *
   * @param what names the operation or znode in the message
   */
  public static Throwable toStore(String what, Throwable cause) {
    if (cause instanceof CodecException) {
      return StoreException.corrupt(String.valueOf(cause.getMessage()), cause);
    } else if (cause instanceof IllegalArgumentException) {
      return StoreException.corrupt("%s: %s".formatted(what, cause.getMessage()), cause);
    } else if (!(cause instanceof KeeperException)) {
      return cause;
    }
    KeeperException keeper = (KeeperException) cause;
    return switch (keeper.code()) {
      case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
          StoreException.denied(
              "%s: ZooKeeper denies access to %s with the credentials of this node"
                  .formatted(what, keeper.getPath()),
              keeper);
      case BADVERSION, NODEEXISTS, NONODE ->
          StoreException.conflict("%s: %s".formatted(what, keeper.getMessage()));
      default -> StoreException.unavailable("%s: %s".formatted(what, keeper.getMessage()), keeper);
    };
  }
}
