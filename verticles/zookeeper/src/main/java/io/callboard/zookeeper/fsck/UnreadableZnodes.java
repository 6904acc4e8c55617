package io.callboard.zookeeper.fsck;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Journal;
import io.callboard.codecs.OutboxEntry;
import io.callboard.store.ActorRecord;
import io.callboard.store.StoreException;
import io.callboard.store.StoredFailures;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredCommits;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.callboard.zookeeper.internal.layout.StoredMember;
import io.callboard.zookeeper.internal.read.CellReader.StoredLease;
import io.callboard.zookeeper.internal.session.NodeSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Search for znodes that nodes must read and cannot. They are reported and left alone: only an
 * operator can know what they meant.
 *
 * <p>Read is what a node needs to be a member, to own a partition and to start an actor. Mail,
 * parked messages and bodies are not: the node that reads a damaged one reports it, and parks it.
 */
final class UnreadableZnodes {
  private static final int AT_ONCE = 32;

  /**
   * Advice for a damaged lease: if it were deleted, or written with an epoch that it had, a former
   * owner could not be fenced, and nodes that saw a higher epoch would commit nothing. Claims raise
   * the epoch without a record, so those of the records are no upper bound.
   */
  private static final String LEASE =
      "no node can own the partition; do not delete the znode, but write "
          + "{\"f\":1,\"epoch\":E,\"owner\":\"\",\"boot\":\"\"} to it, with an E "
          + "above every epoch that the lease ever had: at least 1000 above the highest epoch "
          + "of its records if the last one is not known (a gap does no harm)";

  private final BlockingReads cell;
  private final Function<String, List<String>> names;
  private final List<Anomaly> found = new ArrayList<>();

  /** Decoder that reads a znode as nodes do. */
  private interface Decoder {
    /** Fails with the cause if the znode is unreadable. */
    Object decode(String path, Node node);
  }

  /**
   * Creates a search.
   *
   * @param names the paths of the znodes below one of {@link Layout#TOP}
   */
  private UnreadableZnodes(BlockingReads cell, Function<String, List<String>> names) {
    this.cell = cell;
    this.names = names;
  }

  /** Returns the unreadable znodes of nodes and leases. */
  static List<Anomaly> of(BlockingReads cell, CellNames names) {
    return new UnreadableZnodes(cell, names::below).ofCell();
  }

  /** Returns the unreadable znodes of the actors of a partition. */
  static List<Anomaly> of(BlockingReads cell, PartitionNames names) {
    return new UnreadableZnodes(cell, names::below).ofPartition();
  }

  private List<Anomaly> ofCell() {
    look(
        "h",
        StoredMember::decode,
        "no node can list the members or claim a partition: stop the node of that name");
    look("i", NodeSession.StoredIncarnation::decode, "its node cannot start");
    look("s", StoredCommits::decode, "its node cannot start");
    look("o", StoredLease::decode, LEASE);
    return found;
  }

  private List<Anomaly> ofPartition() {
    look("a", UnreadableZnodes::record, "its actor cannot be loaded");
    look("m", UnreadableZnodes::header, "its actor can neither be loaded nor receive messages");
    look("j", UnreadableZnodes::journal, "its actor cannot be loaded");
    look("x", UnreadableZnodes::outbox, "its actor cannot be loaded");
    look(
        "f",
        UnreadableZnodes::failures,
        "its actor works regardless; if the znode is deleted, the history of failures begins anew");
    return found;
  }

  private static Object record(String path, Node node) {
    return ActorRecord.decode("znode " + path, node.data());
  }

  private static Object header(String path, Node node) {
    return StoredHeader.decode(path, node.data()).header();
  }

  private static Object journal(String path, Node node) {
    return Journal.read("znode " + path, node.data(), 1);
  }

  private static Object outbox(String path, Node node) {
    return OutboxEntry.decode("znode " + path, node.data());
  }

  private static Object failures(String path, Node node) {
    return StoredFailures.decode("znode " + path, node.data());
  }

  private void look(String top, Decoder decoder, String consequence) {
    List<String> paths = names.apply(top);
    for (int from = 0; from < paths.size(); from += AT_ONCE) {
      List<String> some = paths.subList(from, Math.min(paths.size(), from + AT_ONCE));
      Map<String, Node> nodes = BlockingReads.on(BulkReads.large(cell.handle(), some));
      some.forEach(
          path ->
              Optional.ofNullable(nodes.get(path))
                  .flatMap(node -> damage(path, node, decoder))
                  .map(what -> orphan(path, what, consequence))
                  .ifPresent(found::add));
    }
  }

  private static Anomaly orphan(String path, String what, String consequence) {
    return Anomaly.reported(
        Kind.DAMAGED, path, what, "none: an operator must look; " + consequence);
  }

  /** Returns the reason for which the znode is unreadable; empty if it is readable. */
  private static Optional<String> damage(String path, Node node, Decoder decoder) {
    try {
      Object unused = decoder.decode(path, node);
      return Optional.empty();
    } catch (CodecException | StoreException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
