package io.callboard.zookeeper.internal.mailbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.Limits;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One reading of some mailboxes: the generation, the header and the content of each. A mailbox that
 * cannot be read fails no other. Used once.
 */
final class MailboxScan {
  private static final int MOST_STEPS = 8;

  private final Handle handle;
  private final Layout layout;
  private final Map<ActorPath, Found> found = new LinkedHashMap<>();
  private final Map<ActorPath, String> damaged = new HashMap<>();

  /**
   * The last generation of a mailbox.
   *
   * @param version of its header
   * @param messages that it holds; the number of segments where that is as good
   */
  record Found(long generation, int version, MailboxHeader said, int segments, long messages) {
    private Found holding(long counted) {
      return new Found(generation, version, said, segments, counted);
    }

    private boolean mustBeCounted() {
      return segments > 0 && segments < Limits.MAILBOX_SEGMENTS && !said.full();
    }
  }

  MailboxScan(Handle handle, Layout layout) {
    this.handle = handle;
    this.layout = layout;
  }

  /** Mailboxes that exist. */
  Map<ActorPath, Found> found() {
    return found;
  }

  /** Mailboxes that cannot be read, with the cause. */
  Map<ActorPath, String> damaged() {
    return damaged;
  }

  /**
   * Reads the headers of mailboxes, from the generations believed.
   *
   * @param believed the generation in which each mailbox is, or was
   */
  Future<Void> at(Map<ActorPath, Long> believed) {
    return read(believed, 0).compose(read -> count());
  }

  /**
   * Reads one generation of each mailbox, and goes on to the next where that is sealed.
   *
   * @param step how many generations have been tried
   */
  private Future<Void> read(Map<ActorPath, Long> wanted, int step) {
    if (wanted.isEmpty()) {
      return Future.succeededFuture();
    } else if (step > MOST_STEPS) {
      return Future.failedFuture(
          StoreException.conflict(
              "mailboxes changed too often while they were read: " + wanted.keySet()));
    }
    Map<ActorPath, String> paths = new LinkedHashMap<>();
    wanted.forEach((actor, generation) -> paths.put(actor, layout.mailbox(actor, generation)));
    return BulkReads.small(handle, List.copyOf(paths.values()))
        .compose(
            nodes -> {
              Map<ActorPath, Long> further = new LinkedHashMap<>();
              Map<ActorPath, Long> missing = new LinkedHashMap<>();
              paths.forEach(
                  (actor, path) -> {
                    long generation = wanted.getOrDefault(actor, 0L);
                    Handle.Node node = nodes.get(path);
                    if (node == null) {
                      missing.put(actor, generation);
                    } else if (isSealed(actor, generation, path, node)) {
                      further.put(actor, generation + 1);
                    }
                  });
              return laterGenerations(missing)
                  .compose(
                      later -> {
                        further.putAll(later);
                        return read(further, step + 1);
                      });
            });
  }

  /**
   * Returns whether the mailbox continues in the next generation; otherwise notes the header that
   * was found.
   */
  private boolean isSealed(ActorPath actor, long generation, String path, Handle.Node node) {
    try {
      StoredHeader stored = StoredHeader.decode(path, node.data());
      if (stored.isSealed()) {
        return true;
      }
      int segments = node.stat().getNumChildren();
      int version = node.stat().getVersion();
      found.put(actor, new Found(generation, version, stored.header(), segments, segments));
    } catch (CodecException | StoreException e) {
      damaged.put(actor, String.valueOf(e.getMessage()));
    }
    return false;
  }

  /**
   * Completes with the generation of each mailbox that the actor's record holds, if that lies
   * further on.
   */
  private Future<Map<ActorPath, Long>> laterGenerations(Map<ActorPath, Long> missing) {
    return BulkReads.large(handle, missing.keySet().stream().map(layout::record).toList())
        .map(
            nodes -> {
              Map<ActorPath, Long> later = new LinkedHashMap<>();
              missing.forEach(
                  (actor, generation) -> {
                    String path = layout.record(actor);
                    Handle.Node node = nodes.get(path);
                    try {
                      long first = node == null ? 0 : firstGeneration(path, node);
                      if (first > generation) {
                        later.put(actor, first);
                      }
                    } catch (CodecException | StoreException e) {
                      damaged.put(actor, String.valueOf(e.getMessage()));
                    }
                  });
              return later;
            });
  }

  static long firstGeneration(String path, Handle.Node record) {
    return Generation.of(ActorRecord.decode("znode " + path, record.data()).next());
  }

  /** Counts the messages by the names of the segments. */
  private Future<Void> count() {
    List<Future<Void>> counts = new ArrayList<>();
    Map.copyOf(found)
        .forEach(
            (actor, mailbox) -> {
              if (mailbox.mustBeCounted()) {
                counts.add(count(actor, mailbox));
              }
            });
    return Future.all(counts).mapEmpty();
  }

  private Future<Void> count(ActorPath actor, Found mailbox) {
    return handle
        .children(layout.mailbox(actor, mailbox.generation()))
        .map(
            names -> {
              found.put(actor, mailbox.holding(messages(names.orElse(List.of()))));
              return null;
            });
  }

  private static long messages(List<String> names) {
    return names.stream()
        .filter(Layout.SegmentName::is)
        .mapToLong(name -> Layout.SegmentName.parse(0, name).messages())
        .sum();
  }
}
