package io.callboard.zookeeper.internal.mailbox;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Generation;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoredSegment;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.Layout.SegmentName;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reader of the segments of a mailbox. Their names hold their sizes, so a read is bounded before it
 * is sent.
 */
public final class Segments {
  private static final int AT_ONCE = 100;
  private static final int BYTES_AT_ONCE = 256 << 10;

  private Segments() {}

  /**
   * Completes with every waiting segment from that generation on, oldest first; empty if there is
   * no mailbox. A generation that is not the last is sealed: nothing is added to it after this
   * read.
   */
  public static Future<List<SegmentName>> list(
      Handle handle, Layout layout, ActorPath actor, long generation) {
    // asked for first, and answered first
    Future<Optional<List<String>>> later = handle.children(layout.mailbox(actor, generation + 1));
    return handle
        .children(layout.mailbox(actor, generation))
        .compose(
            names ->
                later.compose(
                    there -> {
                      List<SegmentName> found = sorted(generation, names.orElse(List.of()));
                      if (there.isEmpty()) {
                        return Future.succeededFuture(found);
                      }
                      return list(handle, layout, actor, generation + 1)
                          .map(more -> Stream.concat(found.stream(), more.stream()).toList());
                    }));
  }

  private static List<SegmentName> sorted(long generation, List<String> names) {
    return names.stream()
        .map(name -> SegmentName.parse(generation, name))
        .sorted(Comparator.comparingLong(SegmentName::sequence))
        .toList();
  }

  /** Returns the number of messages in those segments, by their names. */
  public static long messages(List<SegmentName> segments) {
    return segments.stream().mapToLong(SegmentName::messages).sum();
  }

  /** Returns the path of a segment. */
  public static String path(Layout layout, ActorPath actor, SegmentName segment) {
    return layout.mailbox(actor, Generation.of(segment.sequence())) + "/" + segment.node();
  }

  /** Returns the first of {@code waiting} within the limits of one read of the port. */
  public static List<SegmentName> withinLimits(List<SegmentName> waiting) {
    List<SegmentName> taken = new ArrayList<>();
    long bytes = 0;
    for (SegmentName segment : waiting) {
      bytes += segment.bytes();
      if (taken.size() == Limits.READ_SEGMENTS || (bytes > Limits.READ_BYTES && !taken.isEmpty())) {
        break;
      }
      taken.add(segment);
    }
    return taken;
  }

  /** Fails with {@code CONFLICT} if one of them was consumed meanwhile. */
  public static Future<List<StoredSegment>> read(
      Handle handle, Layout layout, ActorPath actor, List<SegmentName> wanted) {
    List<StoredSegment> read = new ArrayList<>();
    Future<Void> done = Future.succeededFuture();
    for (List<SegmentName> chunk : chunks(wanted)) {
      List<String> paths = chunk.stream().map(name -> path(layout, actor, name)).toList();
      done =
          done.compose(before -> BulkReads.together(handle, paths))
              .map(
                  nodes -> {
                    if (nodes.size() != paths.size()) {
                      throw StoreException.conflict(
                          "the mailbox of %s changed while it was read".formatted(actor));
                    }
                    Iterator<Handle.Node> each = nodes.values().iterator();
                    for (SegmentName segment : chunk) {
                      Handle.Node node = each.next();
                      Instant added = Instant.ofEpochMilli(node.stat().getCtime());
                      read.add(new StoredSegment(segment.sequence(), node.data(), added));
                    }
                    return null;
                  });
    }
    return done.map(read);
  }

  private static List<List<SegmentName>> chunks(List<SegmentName> wanted) {
    List<List<SegmentName>> chunks = new ArrayList<>();
    List<SegmentName> chunk = new ArrayList<>();
    long bytes = 0;
    for (SegmentName segment : wanted) {
      if (!chunk.isEmpty()
          && (chunk.size() == AT_ONCE || bytes + segment.bytes() > BYTES_AT_ONCE)) {
        chunks.add(List.copyOf(chunk));
        chunk.clear();
        bytes = 0;
      }
      chunk.add(segment);
      bytes += segment.bytes();
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk);
    }
    return chunks;
  }
}
