package io.callboard.zookeeper.fsck;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.OutboxEntry;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.StoreException;
import io.callboard.store.StoredSnapshot;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.mailbox.Segments;
import io.callboard.zookeeper.internal.read.CellReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * Blobs of one actor that may be named by no message and no snapshot.
 *
 * <p>A header still at version 0 was never named by a commit. Of the others, versions are read
 * first, then the mail, then the parked messages: a message moves that way without a sign, the
 * other way only by a replay, which names its blob and so changes the version. So does a message
 * that comes from an outbox.
 *
 * <p>What the actor keeps is in use as long as the actor is stored.
 *
 * @param settled what was written or named before should be in use or gone
 */
record SuspectBlobs(Layout layout, ActorPath actor, List<String> blobs, Instant settled)
    implements Anomaly.Suspect {
  private static final int AT_ONCE = 32;

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    Map<String, Stat> old = new TreeMap<>();
    cell.stats(blobs)
        .forEach(
            (path, stat) -> {
              if (Instant.ofEpochMilli(stat.getMtime()).isBefore(settled)) {
                old.put(path, stat);
              }
            });
    if (old.keySet().stream().anyMatch(this::isKept) && isStored(cell)) {
      old.keySet().removeIf(this::isKept);
    }
    if (old.values().stream().anyMatch(stat -> stat.getVersion() > 0)) {
      try {
        Set<String> inUse = inUse(cell);
        old.keySet().removeIf(path -> inUse.contains(Layout.blobId(BulkReads.name(path))));
      } catch (CodecException | StoreException e) {
        return Optional.of(undecided(old, e));
      }
    }
    return old.isEmpty() ? Optional.empty() : Optional.of(orphan(cell, old));
  }

  private boolean isKept(String path) {
    return Layout.isKeptBlob(BulkReads.name(path), actor);
  }

  private boolean isStored(BlockingReads cell) {
    return BlockingReads.on(cell.handle().exists(layout.record(actor), null)).isPresent();
  }

  private Anomaly undecided(Map<String, Stat> old, RuntimeException unreadable) {
    if (unreadable instanceof StoreException failure
        && failure.kind() != StoreException.Kind.CORRUPT) {
      throw failure;
    }
    return Anomaly.reported(
        Kind.ORPHANED_BLOB,
        old.keySet().iterator().next(),
        "%d blobs for %s may be in use: %s".formatted(old.size(), actor, unreadable.getMessage()),
        "none until its mail and parked messages can be read");
  }

  private Anomaly orphan(BlockingReads cell, Map<String, Stat> old) {
    List<List<Op>> repair = new ArrayList<>();
    Map<String, List<String>> parts = cell.children(List.copyOf(old.keySet()));
    old.forEach(
        (path, stat) -> {
          List<Op> deletes = new ArrayList<>();
          parts
              .getOrDefault(path, List.of())
              .forEach(part -> deletes.add(Op.delete(path + "/" + part, -1)));
          // last, and refused if a commit referred to it or a part was added meanwhile
          deletes.add(Op.delete(path, stat.getVersion()));
          repair.add(deletes);
        });
    return new Anomaly(
        Kind.ORPHANED_BLOB,
        old.keySet().iterator().next(),
        "%d blobs for %s that nothing refers to".formatted(old.size(), actor),
        "delete them",
        repair);
  }

  /** Blobs of messages for the actor that still wait for room, in any outbox. */
  private Set<String> inOutboxes(BlockingReads cell) {
    Set<String> inUse = new HashSet<>();
    String top = layout.top("x");
    for (String partition : cell.children(top)) {
      String outboxes = top + "/" + partition;
      for (String sender : cell.children(outboxes)) {
        String outbox = outboxes + "/" + sender;
        List<String> entries = cell.children(outbox).stream().map(n -> outbox + "/" + n).toList();
        each(
            cell,
            entries,
            (path, node) ->
                OutboxEntry.decode(path, node.data()).getOrDefault(actor, List.of()).stream()
                    .map(Envelope::blob)
                    .filter(Objects::nonNull)
                    .map(BlobRef::id)
                    .forEach(inUse::add));
      }
    }
    return inUse;
  }

  /** Returns the blobs of the actor's own snapshots. */
  private Set<String> snapshots(Optional<Handle.Node> record) {
    Set<String> inUse = new HashSet<>();
    record.ifPresent(
        node ->
            ActorRecord.decode("the record of " + actor, node.data()).snapshots().stream()
                .map(StoredSnapshot::blob)
                .filter(Objects::nonNull)
                .map(BlobRef::id)
                .forEach(inUse::add));
    return inUse;
  }

  /**
   * Blobs that the actor's snapshots and its messages in outboxes, mailbox and parked messages
   * refer to.
   */
  private Set<String> inUse(BlockingReads cell) {
    Handle handle = cell.handle();
    Set<String> inUse = new HashSet<>(inOutboxes(cell));
    Optional<Handle.Node> record = BlockingReads.on(handle.get(layout.record(actor)));
    inUse.addAll(snapshots(record));
    long generation = CellReader.generation(layout, actor, record);
    List<String> segments =
        BlockingReads.on(Segments.list(handle, layout, actor, generation)).stream()
            .map(segment -> Segments.path(layout, actor, segment))
            .toList();
    each(
        cell,
        segments,
        (path, node) ->
            Segment.decode(path, node.data()).stream()
                .map(Envelope::blob)
                .filter(Objects::nonNull)
                .map(BlobRef::id)
                .forEach(inUse::add));
    String parent = layout.parkedOf(actor.partition(layout.partitions()));
    List<String> parked =
        cell.children(parent).stream()
            .filter(name -> name.startsWith(actor.toNodeName() + "~"))
            .map(name -> parent + "/" + name)
            .toList();
    each(
        cell,
        parked,
        (path, node) -> {
          JsonNode blob = Json.parse(path, node.data()).path("envelope").path("blob");
          inUse.add(blob.path("id").asText());
        });
    return inUse;
  }

  /** Reads many znodes, and holds few of them at a time. */
  private static void each(
      BlockingReads cell, List<String> paths, BiConsumer<String, Handle.Node> read) {
    for (int from = 0; from < paths.size(); from += AT_ONCE) {
      List<String> some = paths.subList(from, Math.min(paths.size(), from + AT_ONCE));
      BlockingReads.on(BulkReads.large(cell.handle(), some)).forEach(read);
    }
  }
}
