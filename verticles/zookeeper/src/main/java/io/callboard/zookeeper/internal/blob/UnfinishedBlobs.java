package io.callboard.zookeeper.internal.blob;

import io.callboard.zookeeper.internal.client.Handle;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Znodes that failed writes of blobs may have left in the store. No commit has named them, so they
 * are removed when the store answers again; those beyond the limit are left to {@code fsck}.
 * Thread-safe.
 */
final class UnfinishedBlobs {
  private static final Logger log = LoggerFactory.getLogger(UnfinishedBlobs.class);

  /** Limit of remembered blobs. */
  static final int MOST = 10_000;

  private final Deque<String> paths = new ArrayDeque<>();

  /** Remembers the blob at {@code path}, whose write failed. */
  synchronized void add(String path) {
    if (paths.size() < MOST) {
      paths.addLast(path);
    } else {
      log.warn(
          "too many blobs whose write failed wait to be removed: the parts of {} stay until fsck removes them",
          path);
    }
  }

  private synchronized List<String> take() {
    List<String> all = List.copyOf(paths);
    paths.clear();
    return all;
  }

  /** Removes the remembered blobs; those that cannot be removed now stay remembered. */
  void remove(Handle handle) {
    for (String path : take()) {
      remove(handle, path)
          .onFailure(
              cause -> {
                log.debug(
                    "the parts of {} could not be removed; the next attempt follows", path, cause);
                add(path);
              });
    }
  }

  private static Future<Void> remove(Handle handle, String path) {
    return handle
        .children(path)
        .compose(
            parts -> {
              if (parts.isEmpty()) {
                return Future.succeededFuture(); // its header was not created either
              }
              List<Op> deletes = new ArrayList<>();
              parts.get().forEach(part -> deletes.add(Op.delete(path + "/" + part, -1)));
              deletes.add(Op.delete(path, 0));
              return handle
                  .multi(deletes)
                  .<Void>mapEmpty()
                  .recover(
                      cause ->
                          isNamed(cause)
                              ? Future.succeededFuture()
                              : Future.<Void>failedFuture(cause));
            });
  }

  /** Returns whether a commit has written the header: then the blob is no remains of a write. */
  private static boolean isNamed(Throwable cause) {
    return cause instanceof Handle.Refused refused
        && refused.culprit() >= 0
        && refused.code(refused.culprit()) == Code.BADVERSION;
  }
}
