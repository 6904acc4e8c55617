package io.callboard.zookeeper;

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
import io.callboard.store.StoredActor;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSegment;
import io.callboard.zookeeper.Handle.Node;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists what is in a cell; for anybody, owner or not. */
final class Reader {
  private static final Logger log = LoggerFactory.getLogger(Reader.class);

  private final NodeSession session;

  Reader(NodeSession session) {
    this.session = session;
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

  Future<Map<Partition, Lease>> leases() {
    return children(layout().top("o"))
        .compose(paths -> Reads.small(handle(), paths))
        .map(
            nodes -> {
              Map<Partition, Lease> leases = new HashMap<>();
              nodes.forEach(
                  (path, node) ->
                      readable(path, node).ifPresent(l -> leases.put(l.partition(), l)));
              return leases;
            });
  }

  /** One that is damaged keeps its own partition from being owned, and no other. */
  private static Optional<Lease> readable(String path, Node node) {
    try {
      return Optional.of(StoredLease.decode(path, node));
    } catch (CodecException | StoreException | IllegalArgumentException e) {
      log.error("nobody can own the partition of {} until it is mended: {}", path, e.getMessage());
      return Optional.empty();
    }
  }

  Future<List<Member>> members() {
    return children(layout().top("h"))
        .compose(paths -> Reads.small(handle(), paths))
        .map(
            nodes ->
                nodes.entrySet().stream()
                    .map(entry -> StoredMember.decode(entry.getKey(), entry.getValue()).member())
                    .toList());
  }

  Future<List<ActorPath>> withMail(Partition partition) {
    Future<List<String>> mailboxes = occupied(layout().mailboxes(partition));
    Future<List<String>> outboxes = occupied(layout().outboxes(partition));
    return Future.all(mailboxes, outboxes)
        .map(
            all ->
                Stream.concat(
                        mailboxes.result().stream().map(Layout::actorOf),
                        outboxes.result().stream().map(ActorPath::fromNodeName))
                    .distinct()
                    .toList());
  }

  /** The names of the znodes below {@code path} that have something below themselves. */
  private Future<List<String>> occupied(String path) {
    return children(path)
        .compose(paths -> Reads.small(handle(), paths))
        .map(
            nodes ->
                nodes.entrySet().stream()
                    .filter(entry -> entry.getValue().stat().getNumChildren() > 0)
                    .map(entry -> Reads.name(entry.getKey()))
                    .toList());
  }

  Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return handle()
        .get(layout().record(actor))
        .compose(
            record -> Segments.list(handle(), layout(), actor, generation(layout(), actor, record)))
        .compose(
            waiting ->
                Segments.read(handle(), layout(), actor, waiting.stream().limit(limit).toList()));
  }

  Future<List<StoredActor>> actors(ActorPath prefix) {
    return children(layout().top("a"))
        .compose(
            partitions ->
                each(
                    partitions.stream()
                        .filter(path -> partition(path).space().equals(prefix.space()))
                        .toList(),
                    this::children))
        .compose(
            records ->
                stored(
                    records.stream()
                        .map(path -> ActorPath.fromNodeName(Reads.name(path)))
                        .filter(actor -> actor.isWithin(prefix))
                        .sorted()
                        .toList()));
  }

  private static Partition partition(String path) {
    return Partition.parse(Reads.name(path));
  }

  /** The results of all, joined; they are asked for one after another. */
  private static <T> Future<List<T>> each(
      List<String> paths, Function<String, Future<List<T>>> read) {
    List<T> all = new ArrayList<>();
    Future<Void> done = Future.succeededFuture();
    for (String path : paths) {
      done =
          done.compose(before -> read.apply(path))
              .map(
                  found -> {
                    all.addAll(found);
                    return null;
                  });
    }
    return done.map(all);
  }

  Future<Optional<StoredActor>> actor(ActorPath path) {
    return stored(List.of(path)).map(found -> found.stream().findFirst());
  }

  private Future<List<StoredActor>> stored(List<ActorPath> actors) {
    Handle handle = handle();
    return Reads.large(handle, actors.stream().map(layout()::record).toList())
        .compose(
            records ->
                Reads.small(handle, actors.stream().flatMap(a -> mailboxes(a, records)).toList())
                    .map(
                        headers ->
                            actors.stream()
                                .flatMap(actor -> stored(actor, records, headers).stream())
                                .toList()));
  }

  /** The generation of the first waiting segment. */
  static long generation(Layout layout, ActorPath actor, Optional<Node> record) {
    return record
        .map(node -> ActorRecord.decode("znode " + layout.record(actor), node.data()))
        .map(decoded -> Generation.of(decoded.next()))
        .orElse(0L);
  }

  /** A mailbox that is being sealed has two. */
  private Stream<String> mailboxes(ActorPath actor, Map<String, Node> records) {
    Optional<Node> record = Optional.ofNullable(records.get(layout().record(actor)));
    long generation = generation(layout(), actor, record);
    return Stream.of(layout().mailbox(actor, generation), layout().mailbox(actor, generation + 1));
  }

  private Optional<StoredActor> stored(
      ActorPath actor, Map<String, Node> records, Map<String, Node> headers) {
    String path = layout().record(actor);
    Node record = records.get(path);
    if (record == null) {
      return Optional.empty();
    }
    long waiting =
        mailboxes(actor, records)
            .map(headers::get)
            .filter(Objects::nonNull)
            .mapToLong(header -> header.stat().getNumChildren())
            .sum();
    return Optional.of(
        new StoredActor(
            actor,
            actor.partition(layout().partitions()),
            ActorRecord.decode("znode " + path, record.data()),
            waiting,
            Instant.ofEpochMilli(record.stat().getMtime())));
  }

  Future<List<StoredParked>> parked(int limit) {
    return children(layout().top("d"))
        .compose(partitions -> each(partitions, this::children))
        .compose(
            paths ->
                Reads.large(
                    handle(),
                    paths.stream().sorted(Comparator.comparing(Reads::name)).limit(limit).toList()))
        .map(
            found ->
                found.entrySet().stream()
                    .map(
                        entry -> {
                          String node = Reads.name(entry.getKey());
                          return new StoredParked(
                              Layout.actorOf(node), Layout.parkedId(node), entry.getValue().data());
                        })
                    .toList());
  }

  Future<Optional<StoredParked>> parked(ParkedKey key) {
    return handle()
        .get(layout().parked(key.actor(), key.id()))
        .map(found -> found.map(node -> new StoredParked(key.actor(), key.id(), node.data())));
  }

  Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix) {
    return children(layout().top("d"))
        .compose(
            partitions ->
                each(
                    partitions.stream()
                        .filter(
                            path ->
                                prefix.isEmpty()
                                    || partition(path).space().equals(prefix.get().space()))
                        .toList(),
                    this::children))
        .map(
            paths ->
                paths.stream()
                    .map(path -> Layout.parkedKey(Reads.name(path)))
                    .filter(key -> prefix.isEmpty() || key.actor().isWithin(prefix.get()))
                    .toList());
  }

  /** As stored in {@code /o/<partition>}. */
  record StoredLease(int f, long epoch, String owner, String boot) {
    static final int FORMAT = 1;

    static Lease decode(String path, Node node) {
      StoredLease stored = Json.read("znode " + path, node.data(), StoredLease.class);
      Formats.check("znode " + path, stored.f, FORMAT);
      return new Lease(
          partition(path), stored.epoch, stored.owner, stored.boot, node.stat().getVersion());
    }

    static byte[] encode(long epoch, String owner, String boot) {
      return Json.bytes(new StoredLease(FORMAT, epoch, owner, boot));
    }
  }
}
