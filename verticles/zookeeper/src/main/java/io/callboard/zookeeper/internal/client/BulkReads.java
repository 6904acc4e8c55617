package io.callboard.zookeeper.internal.client;

import io.callboard.zookeeper.internal.client.Handle.Node;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Reader of many znodes, in bounded requests: ZooKeeper drops the connection of a client that asks
 * for more than a packet holds.
 */
public final class BulkReads {
  private static final int SMALL_AT_ONCE = 200;
  private static final int LARGE_AT_ONCE = 32;

  private BulkReads() {}

  /**
   * Completes with the znodes of {@code paths} that exist, in their order, each of a few hundred
   * bytes at most.
   */
  public static Future<Map<String, Node>> small(Handle handle, List<String> paths) {
    return chunked(paths, SMALL_AT_ONCE, chunk -> together(handle, chunk));
  }

  /** Completes with the znodes of {@code paths} that exist, in their order, whatever their size. */
  public static Future<Map<String, Node>> large(Handle handle, List<String> paths) {
    return chunked(paths, LARGE_AT_ONCE, chunk -> apart(handle::get, chunk));
  }

  /** Reads the znodes with one multi, hence all of one moment. */
  public static Future<Map<String, Node>> together(Handle handle, List<String> paths) {
    return handle
        .readAll(paths.stream().map(Op::getData).toList())
        .map(
            results -> {
              Map<String, Node> found = new LinkedHashMap<>();
              for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.GetDataResult node) {
                  found.put(paths.get(i), new Node(node.getData(), node.getStat()));
                }
              }
              return found;
            });
  }

  /**
   * Collects results from the futures and not from their handlers: a future is complete for one
   * thread while another still calls the handlers that were added first.
   */
  static Future<Map<String, Node>> apart(
      Function<String, Future<Optional<Node>>> get, List<String> paths) {
    List<Future<Optional<Node>>> reads = paths.stream().map(get).toList();
    return Future.all(reads)
        .map(
            all -> {
              Map<String, Node> found = new LinkedHashMap<>();
              for (int i = 0; i < paths.size(); i++) {
                String path = paths.get(i);
                reads.get(i).result().ifPresent(node -> found.put(path, node));
              }
              return found;
            });
  }

  /** One chunk after another, so that a long list does not fill the connection. */
  private static Future<Map<String, Node>> chunked(
      List<String> paths, int size, Function<List<String>, Future<Map<String, Node>>> read) {
    Map<String, Node> found = new LinkedHashMap<>();
    Future<Void> done = Future.succeededFuture();
    for (int from = 0; from < paths.size(); from += size) {
      List<String> chunk = paths.subList(from, Math.min(paths.size(), from + size));
      done =
          done.compose(
              before ->
                  read.apply(chunk)
                      .map(
                          nodes -> {
                            found.putAll(nodes);
                            return null;
                          }));
    }
    return done.map(found);
  }

  /** Returns the last part of a path. */
  public static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
