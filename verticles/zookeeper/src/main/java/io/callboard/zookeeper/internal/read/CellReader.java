package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Formats;
import io.callboard.store.Generation;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoreException;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSegment;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.FirstOf;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredMember;
import io.callboard.zookeeper.internal.mailbox.Segments;
import io.callboard.zookeeper.internal.session.NodeName;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reader and lister of a cell, for any node, owner or not. */
public final class CellReader {
  private static final Logger log = LoggerFactory.getLogger(CellReader.class);

  private final NodeSession session;
  private final ActorNames names;
  private volatile Map<Partition, String> unreadable = Map.of();

  /** Creates a reader. */
  public CellReader(NodeSession session) {
    this.session = session;
    this.names = new ActorNames(session);
  }

  private Layout layout() {
    return session.layout();
  }

  private Handle handle() {
    return session.handle();
  }

  private Future<List<String>> children(String path) {
    return handle()
        .children(path)
        .map(found -> found.orElse(List.of()).stream().map(node -> path + "/" + node).toList());
  }

  /**
   * Completes with all leases; znodes that are not named like a partition are left to {@link Fsck}.
   */
  public Future<Map<Partition, Lease>> leases() {
    return children(layout().top("o"))
        .map(paths -> paths.stream().filter(p -> layout().isPartition(BulkReads.name(p))).toList())
        .compose(paths -> BulkReads.small(handle(), paths))
        .map(
            nodes -> {
              Map<Partition, String> damaged = new TreeMap<>();
              Map<Partition, Lease> leases = decoded(nodes, damaged);
              damaged(damaged);
              return leases;
            });
  }

  /** Completes with some leases; damaged ones are reported by the next read of all. */
  public Future<Map<Partition, Lease>> leases(Set<Partition> some) {
    return BulkReads.small(handle(), some.stream().map(layout()::lease).toList())
        .map(nodes -> decoded(nodes, new HashMap<>()));
  }

  private static Map<Partition, Lease> decoded(
      Map<String, Node> nodes, Map<Partition, String> damaged) {
    Map<Partition, Lease> leases = new HashMap<>();
    nodes.forEach(
        (path, node) -> {
          try {
            leases.put(partition(path), StoredLease.decode(path, node));
          } catch (CodecException | StoreException e) {
            damaged.put(partition(path), String.valueOf(e.getMessage()));
          }
        });
    return leases;
  }

  /**
   * Reports damaged leases, each once; a damaged one keeps only its own partition from being owned.
   */
  private void damaged(Map<Partition, String> now) {
    Map<Partition, String> before = unreadable;
    unreadable = Collections.unmodifiableMap(now);
    now.forEach(
        (partition, why) -> {
          if (!why.equals(before.get(partition))) {
            log.error(
                "no node can own partition {} until its lease is repaired (callboard fsck tells how): {}",
                partition,
                why);
          }
        });
    before.keySet().stream()
        .filter(partition -> !now.containsKey(partition))
        .forEach(partition -> log.info("the lease of partition {} can be read again", partition));
  }

  /** Returns the partitions whose lease the last read could not decode, with the cause. */
  public Map<Partition, String> unreadable() {
    return unreadable;
  }

  /** Reads the live nodes of the cell. */
  public Future<List<Member>> members() {
    return children(layout().top("h"))
        .map(paths -> paths.stream().filter(p -> NodeName.isValid(BulkReads.name(p))).toList())
        .compose(paths -> BulkReads.large(handle(), paths)) // the facts of one may be 512 KiB
        .map(
            nodes ->
                nodes.entrySet().stream()
                    .map(entry -> StoredMember.decode(entry.getKey(), entry.getValue()).member())
                    .toList());
  }

  /** Completes with the partitions that have parents. */
  public Future<Set<Partition>> partitions() {
    return children(layout().top("m"))
        .map(
            paths ->
                paths.stream()
                    .filter(path -> layout().isPartition(BulkReads.name(path)))
                    .map(CellReader::partition)
                    .collect(Collectors.toUnmodifiableSet()));
  }

  /** Lists the actors of a partition that have mail, or entries in their outbox. */
  public Future<List<ActorPath>> withMail(Partition partition) {
    Future<List<String>> mailboxes = occupied(layout().mailboxes(partition));
    Future<List<String>> outboxes = occupied(layout().outboxes(partition));
    return Future.all(mailboxes, outboxes)
        .map(
            all ->
                Stream.concat(
                        actors(partition, mailboxes.result(), Layout::actorOfMailbox),
                        actors(partition, outboxes.result(), ActorPath::fromNodeName))
                    .distinct()
                    .toList());
  }

  /** Skips names that are not Callboard's: {@link Fsck} reports them. */
  private Stream<ActorPath> actors(
      Partition partition, List<String> names, Function<String, ActorPath> actorOf) {
    return names.stream().flatMap(name -> layout().actor(partition, name, actorOf).stream());
  }

  /**
   * Completes with the names of the znodes below {@code path} that have something below themselves.
   */
  private Future<List<String>> occupied(String path) {
    return children(path)
        .compose(paths -> BulkReads.small(handle(), paths))
        .map(
            nodes ->
                nodes.entrySet().stream()
                    .filter(entry -> entry.getValue().stat().getNumChildren() > 0)
                    .map(entry -> BulkReads.name(entry.getKey()))
                    .toList());
  }

  /** Reads the first segments of an actor's mailbox, {@code limit} at most. */
  public Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return handle()
        .get(layout().record(actor))
        .compose(
            record -> Segments.list(handle(), layout(), actor, generation(layout(), actor, record)))
        .compose(
            waiting ->
                Segments.read(handle(), layout(), actor, waiting.stream().limit(limit).toList()));
  }

  private static Partition partition(String path) {
    return Partition.parse(BulkReads.name(path));
  }

  /** Returns the generation of the first waiting segment. */
  public static long generation(Layout layout, ActorPath actor, Optional<Node> record) {
    return record
        .map(node -> ActorRecord.decode("znode " + layout.record(actor), node.data()))
        .map(decoded -> Generation.of(decoded.next()))
        .orElse(0L);
  }

  /** Completes with the first parked messages, by the names of their znodes. */
  public Future<List<StoredParked>> parked(int limit) {
    FirstOf<String> first = new FirstOf<>(limit, Comparator.comparing(BulkReads::name));
    return names
        .each("d", partition -> true, Layout::actorOfParked, first::offer)
        .compose(listed -> BulkReads.large(handle(), first.all()))
        .map(
            found ->
                found.entrySet().stream()
                    .map(
                        entry -> {
                          ParkedKey key = Layout.parkedKey(BulkReads.name(entry.getKey()));
                          return new StoredParked(key.actor(), key.id(), entry.getValue().data());
                        })
                    .toList());
  }

  /** Reads a parked message; empty if there is none of that key. */
  public Future<Optional<StoredParked>> parked(ParkedKey key) {
    return handle()
        .get(layout().parked(key.actor(), key.id()))
        .map(found -> found.map(node -> new StoredParked(key.actor(), key.id(), node.data())));
  }

  /** Lists the keys of the parked messages, of all actors or of those within a prefix. */
  public Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix) {
    List<ParkedKey> keys = new ArrayList<>();
    return names
        .each(
            "d",
            partition -> prefix.isEmpty() || partition.space().equals(prefix.get().space()),
            Layout::actorOfParked,
            path -> {
              ParkedKey key = Layout.parkedKey(BulkReads.name(path));
              if (prefix.isEmpty() || key.actor().isWithin(prefix.get())) {
                keys.add(key);
              }
            })
        .map(listed -> keys);
  }

  /**
   * Lease as it is stored in {@code /o/<partition>}.
   *
   * @param last the node that gave it back; older nodes do not write it
   * @param at when it was written, in milliseconds since 1970; older nodes do not write it
   * @param to the node that it was handed over to; older nodes do not tell
   */
  public record StoredLease(
      int f,
      long epoch,
      String owner,
      String boot,
      @Nullable String last,
      @Nullable Long at,
      @Nullable String to) {
    static final int FORMAT = 1;

    /** Creates the stored form of a lease. */
    public StoredLease {
      Objects.requireNonNull(owner, "it lacks its owner");
      Objects.requireNonNull(boot, "it lacks its owner's boot");
    }

    /**
     * Decodes a lease.
     *
     * @param path names the znode and the partition
     */
    public static Lease decode(String path, Node node) {
      StoredLease stored = Json.read("znode " + path, node.data(), StoredLease.class);
      Formats.check("znode " + path, stored.f, FORMAT);
      return new Lease(
          partition(path),
          stored.epoch,
          stored.owner,
          stored.boot,
          node.stat().getVersion(),
          stored.last == null ? "" : stored.last,
          Instant.ofEpochMilli(stored.at == null ? 0 : stored.at),
          stored.to == null ? "" : stored.to);
    }

    /** Encodes a lease. */
    public static byte[] encode(Lease lease) {
      long at = lease.at().toEpochMilli();
      return Json.bytes(
          new StoredLease(
              FORMAT,
              lease.epoch(),
              lease.owner(),
              lease.ownerBoot(),
              lease.last().isEmpty() ? null : lease.last(),
              at,
              lease.to().isEmpty() ? null : lease.to()));
    }
  }
}
