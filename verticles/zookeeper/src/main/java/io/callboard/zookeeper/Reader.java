package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/** Reads a cell. Listings are followed by reads in bounded multis. */
final class Reader {
  private static final int CHUNK = 200;
  private static final int LOAD_ATTEMPTS = 5;

  private final NodeSession session;
  private final SegmentNames names;
  private final Set<ActorPath> journals = ConcurrentHashMap.newKeySet();

  /** As stored in {@code /o/<partition>}. */
  record StoredLease(int f, long epoch, String owner, String boot) {}

  Reader(NodeSession session, SegmentNames names) {
    this.session = session;
    this.names = names;
  }

  /** The actors whose journal's parent is known to exist. */
  Set<ActorPath> journals() {
    return journals;
  }

  private Layout layout() {
    return session.layout();
  }

  private Handle handle() {
    return session.handle();
  }

  Future<Loaded> load(ActorPath actor, int attempt) {
    String mailbox = layout().mailbox(actor);
    List<Op> reads =
        List.of(
            Op.getData(layout().record(actor)),
            Op.getChildren(mailbox),
            Op.getChildren(layout().journal(actor)));
    return handle()
        .readAll(reads)
        .compose(
            results -> {
              Optional<StoredRecord> record = record(actor, results.get(0));
              List<Layout.SegmentName> waiting = segments(results.get(1));
              long next = record.map(r -> r.record().next()).orElse(0L);
              if (!waiting.isEmpty() && waiting.get(0).sequence() != next) {
                return again(actor, attempt, waiting.get(0).sequence(), next);
              }
              names.forget(actor);
              return journal(actor, record, results.get(2))
                  .compose(
                      journal ->
                          read(actor, waiting)
                              .map(mail -> new Loaded(record, journal, mail, waiting.size())));
            });
  }

  /** A stale view of a server that lags, or damage: only repeating tells. */
  private Future<Loaded> again(ActorPath actor, int attempt, long first, long next) {
    if (attempt >= LOAD_ATTEMPTS) {
      return Future.failedFuture(
          StoreException.corrupt(
              "%s begins with segment %d, its record expects %d"
                  .formatted(layout().mailbox(actor), first, next)));
    }
    return handle().sync(layout().record(actor)).compose(v -> load(actor, attempt + 1));
  }

  private Optional<StoredRecord> record(ActorPath actor, OpResult result) {
    if (!(result instanceof OpResult.GetDataResult found)) {
      return Optional.empty();
    }
    return Optional.of(
        new StoredRecord(decode(layout().record(actor), found.getData()), found.getStat().getVersion()));
  }

  private static ActorRecord decode(String path, byte[] data) {
    try {
      return ActorRecord.decode("znode " + path, data);
    } catch (CodecException e) {
      throw StoreException.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<Layout.SegmentName> segments(OpResult result) {
    if (!(result instanceof OpResult.GetChildrenResult found)) {
      return List.of();
    }
    return segments(found.getChildren());
  }

  private static List<Layout.SegmentName> segments(List<String> nodes) {
    return nodes.stream()
        .map(Layout.SegmentName::parse)
        .sorted(Comparator.comparingLong(Layout.SegmentName::sequence))
        .toList();
  }

  private Future<List<byte[]>> journal(
      ActorPath actor, Optional<StoredRecord> record, OpResult result) {
    if (!(result instanceof OpResult.GetChildrenResult found)) {
      journals.remove(actor);
      return Future.succeededFuture(List.of());
    }
    journals.add(actor);
    long from = record.map(r -> r.record().journalFrom()).orElse(0L);
    List<String> paths =
        found.getChildren().stream()
            .map(Long::valueOf)
            .filter(turn -> turn > from)
            .sorted()
            .map(turn -> layout().journal(actor) + "/" + turn)
            .toList();
    return data(paths)
        .map(
            entries -> {
              if (entries.size() != paths.size()) {
                throw StoreException.conflict("the journal of %s changed while it was read".formatted(actor));
              }
              return List.copyOf(entries.values());
            });
  }

  /** The data of those paths that exist, in the order given. */
  private Future<Map<String, byte[]>> data(List<String> paths) {
    return nodes(paths)
        .map(
            nodes -> {
              Map<String, byte[]> data = new java.util.LinkedHashMap<>();
              nodes.forEach((path, node) -> data.put(path, node.data()));
              return data;
            });
  }

  private Future<Map<String, Handle.Node>> nodes(List<String> paths) {
    List<Future<List<OpResult>>> reads = new ArrayList<>();
    for (int from = 0; from < paths.size(); from += CHUNK) {
      reads.add(
          handle()
              .readAll(
                  paths.subList(from, Math.min(paths.size(), from + CHUNK)).stream()
                      .map(Op::getData)
                      .toList()));
    }
    return Future.all(reads)
        .map(
            all -> {
              Map<String, Handle.Node> found = new java.util.LinkedHashMap<>();
              int i = 0;
              for (Future<List<OpResult>> read : reads) {
                for (OpResult result : read.result()) {
                  if (result instanceof OpResult.GetDataResult node) {
                    found.put(paths.get(i), new Handle.Node(node.getData(), node.getStat()));
                  }
                  i++;
                }
              }
              return found;
            });
  }

  Future<List<StoredSegment>> readFrom(ActorPath actor, long fromSequence) {
    return handle()
        .children(layout().mailbox(actor))
        .compose(
            children ->
                read(
                    actor,
                    segments(children.orElse(List.of())).stream()
                        .filter(segment -> segment.sequence() >= fromSequence)
                        .toList()));
  }

  /** The first of those segments, within the limits of a read. */
  private Future<List<StoredSegment>> read(ActorPath actor, List<Layout.SegmentName> waiting) {
    List<Layout.SegmentName> taken = new ArrayList<>();
    long bytes = 0;
    for (Layout.SegmentName segment : waiting) {
      bytes += segment.bytes();
      if (taken.size() == Limits.READ_SEGMENTS || (bytes > Limits.READ_BYTES && !taken.isEmpty())) {
        break;
      }
      taken.add(segment);
    }
    taken.forEach(segment -> names.put(actor, segment));
    return segmentData(actor, taken);
  }

  private Future<List<StoredSegment>> segmentData(
      ActorPath actor, List<Layout.SegmentName> taken) {
    String mailbox = layout().mailbox(actor);
    return data(taken.stream().map(segment -> mailbox + "/" + segment.node()).toList())
        .map(
            found -> {
              if (found.size() != taken.size()) {
                throw StoreException.conflict(
                    "the mailbox of %s changed while it was read".formatted(actor));
              }
              List<StoredSegment> segments = new ArrayList<>();
              int i = 0;
              for (byte[] bytes : found.values()) {
                segments.add(new StoredSegment(taken.get(i++).sequence(), bytes));
              }
              return segments;
            });
  }

  Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return handle()
        .children(layout().mailbox(actor))
        .compose(
            children ->
                segmentData(
                    actor, segments(children.orElse(List.of())).stream().limit(limit).toList()));
  }

  Future<Map<Partition, Lease>> leases() {
    return handle()
        .children(layout().top("o"))
        .compose(
            found -> {
              List<Partition> partitions =
                  found.orElse(List.of()).stream().map(Partition::parse).toList();
              return nodes(partitions.stream().map(layout()::lease).toList());
            })
        .map(
            nodes -> {
              Map<Partition, Lease> leases = new HashMap<>();
              nodes.forEach(
                  (path, node) -> {
                    Partition partition = Partition.parse(path.substring(path.lastIndexOf('/') + 1));
                    StoredLease lease = Json.read(path, node.data(), StoredLease.class);
                    leases.put(
                        partition,
                        new Lease(
                            partition,
                            lease.epoch(),
                            lease.owner(),
                            lease.boot(),
                            node.stat().getVersion()));
                  });
              return leases;
            });
  }

  Future<List<Member>> members() {
    return handle()
        .children(layout().top("h"))
        .compose(found -> nodes(found.orElse(List.of()).stream().map(layout()::member).toList()))
        .map(
            nodes -> {
              List<Member> members = new ArrayList<>();
              nodes.forEach(
                  (path, node) -> {
                    NodeSession.StoredMember stored =
                        Json.read(path, node.data(), NodeSession.StoredMember.class);
                    members.add(
                        new Member(
                            path.substring(path.lastIndexOf('/') + 1),
                            stored.boot(),
                            stored.since(),
                            stored.facts()));
                  });
              return members;
            });
  }

  Future<List<ActorPath>> withMail(Partition partition) {
    String parent = layout().mailboxes(partition);
    return handle()
        .children(parent)
        .compose(
            found ->
                nodes(found.orElse(List.of()).stream().map(node -> parent + "/" + node).toList()))
        .map(
            nodes -> {
              List<ActorPath> actors = new ArrayList<>();
              nodes.forEach(
                  (path, node) -> {
                    if (node.stat().getNumChildren() > 0) {
                      actors.add(Layout.actorOf(path.substring(path.lastIndexOf('/') + 1)));
                    }
                  });
              return actors;
            });
  }

  Future<List<StoredActor>> actors(ActorPath prefix) {
    return handle()
        .children(layout().top("a"))
        .compose(
            found -> {
              List<Future<List<StoredActor>>> reads =
                  found.orElse(List.of()).stream()
                      .map(Partition::parse)
                      .filter(partition -> partition.space().equals(prefix.space()))
                      .map(partition -> actors(partition, prefix))
                      .toList();
              return Future.all(reads)
                  .map(
                      all ->
                          reads.stream()
                              .flatMap(read -> read.result().stream())
                              .sorted(Comparator.comparing(StoredActor::path))
                              .toList());
            });
  }

  private Future<List<StoredActor>> actors(Partition partition, ActorPath prefix) {
    return handle()
        .children(layout().records(partition))
        .compose(
            found ->
                stored(
                    found.orElse(List.of()).stream()
                        .map(ActorPath::fromNodeName)
                        .filter(path -> path.isWithin(prefix))
                        .toList()));
  }

  Future<List<StoredActor>> stored(List<ActorPath> actors) {
    List<String> paths = new ArrayList<>();
    for (ActorPath actor : actors) {
      paths.add(layout().record(actor));
      paths.add(layout().mailbox(actor));
    }
    return nodes(paths)
        .map(
            nodes -> {
              List<StoredActor> stored = new ArrayList<>();
              for (ActorPath actor : actors) {
                Handle.Node record = nodes.get(layout().record(actor));
                Handle.Node mailbox = nodes.get(layout().mailbox(actor));
                if (record != null) {
                  stored.add(
                      new StoredActor(
                          actor,
                          actor.partition(layout().partitions()),
                          decode(layout().record(actor), record.data()),
                          mailbox == null ? 0 : mailbox.stat().getNumChildren(),
                          Instant.ofEpochMilli(record.stat().getMtime())));
                }
              }
              return stored;
            });
  }

  Future<List<StoredParked>> parked(int limit) {
    return handle()
        .children(layout().top("d"))
        .compose(
            found -> {
              List<Future<List<String>>> reads =
                  found.orElse(List.of()).stream().map(this::parkedPaths).toList();
              return Future.all(reads)
                  .map(
                      all ->
                          reads.stream()
                              .flatMap(read -> read.result().stream())
                              .sorted()
                              .limit(limit)
                              .toList());
            })
        .compose(this::data)
        .map(
            found -> {
              List<StoredParked> parked = new ArrayList<>();
              found.forEach(
                  (path, bytes) -> {
                    String node = path.substring(path.lastIndexOf('/') + 1);
                    parked.add(
                        new StoredParked(
                            Layout.actorOf(node), node.substring(node.lastIndexOf('~') + 1), bytes));
                  });
              return parked;
            });
  }

  private Future<List<String>> parkedPaths(String partition) {
    String parent = layout().top("d") + "/" + partition;
    return handle()
        .children(parent)
        .map(found -> found.orElse(List.of()).stream().map(node -> parent + "/" + node).toList());
  }
}
