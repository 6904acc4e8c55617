package io.callboard.zookeeper.internal.client;

import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * Blocking calls of a handle; not for event loops. They fail with a {@link StoreException} of one
 * line.
 */
public final class BlockingReads {
  private static final long LIMIT_S = 30;
  private static final int AT_ONCE = 32;

  private final Handle handle;

  /** Creates blocking calls of that handle. */
  public BlockingReads(Handle handle) {
    this.handle = handle;
  }

  /**
   * Waits for {@code future} and returns its result.
   *
   * @throws StoreException if it fails, or takes longer than the limit
   */
  public static <T> T on(Future<T> future) {
    try {
      // by any thread: Vert.x's own await refuses its workers
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw StoreException.unavailable(
          "ZooKeeper did not answer within %d s".formatted(LIMIT_S), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.unavailable("interrupted while waiting for ZooKeeper", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      Throwable known = Errors.toStore("the cell cannot be checked", cause);
      throw known instanceof StoreException failure
          ? failure
          : StoreException.unavailable("the cell cannot be checked: " + cause.getMessage(), cause);
    }
  }

  /** Returns the handle. */
  public Handle handle() {
    return handle;
  }

  /** Returns the children of a znode, sorted; empty if there is no such znode. */
  public List<String> children(String path) {
    return on(handle.children(path)).orElse(List.of()).stream().sorted().toList();
  }

  /** Returns the children of those of {@code paths} that exist. */
  public Map<String, List<String>> children(List<String> paths) {
    return many(paths, handle::children);
  }

  /** Returns the stats of those of {@code paths} that exist. */
  public Map<String, Stat> stats(List<String> paths) {
    return many(paths, path -> handle.exists(path, null));
  }

  private static <T> Map<String, T> many(
      List<String> paths, Function<String, Future<Optional<T>>> read) {
    Map<String, T> found = new LinkedHashMap<>();
    for (int from = 0; from < paths.size(); from += AT_ONCE) {
      List<String> chunk = paths.subList(from, Math.min(paths.size(), from + AT_ONCE));
      List<Future<Optional<T>>> reads = new ArrayList<>();
      chunk.forEach(path -> reads.add(read.apply(path)));
      for (int i = 0; i < chunk.size(); i++) {
        String path = chunk.get(i);
        on(reads.get(i)).ifPresent(value -> found.put(path, value));
      }
    }
    return found;
  }

  /** Results of reads that are all of one moment; see {@link Handle#readAll}. */
  public List<OpResult> readAll(List<Op> reads) {
    return on(handle.readAll(reads));
  }

  /** Returns whether the multi was applied; if not, one of its checks failed. */
  public boolean multi(List<Op> operations) {
    return on(
        handle
            .multi(operations)
            .map(true)
            .recover(
                cause ->
                    cause instanceof Handle.Refused refused && refused.culprit() >= 0
                        ? refused(operations, refused)
                        : Future.failedFuture(cause)));
  }

  private static Future<Boolean> refused(List<Op> operations, Handle.Refused refused) {
    int culprit = refused.culprit();
    Code code = refused.code(culprit);
    return switch (code) {
      case BADVERSION, NONODE, NODEEXISTS, NOTEMPTY -> Future.succeededFuture(false);
      default ->
          Future.failedFuture(KeeperException.create(code, operations.get(culprit).getPath()));
    };
  }
}
