package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.zookeeper.Handle.Node;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads what is stored of actors, for anybody, owner or not; a damaged record hides no other. */
final class ActorRecords {
  private final NodeSession session;
  private final ActorNames names;

  /** A record, and its znode. */
  private record Read(ActorPath actor, ActorRecord record, Node node) {}

  ActorRecords(NodeSession session) {
    this.session = session;
    this.names = new ActorNames(session);
  }

  Future<StoredActors> within(ActorPath prefix) {
    List<ActorPath> actors = new ArrayList<>();
    return names
        .each(
            "a",
            partition -> partition.space().equals(prefix.space()),
            ActorPath::fromNodeName,
            path -> {
              ActorPath actor = ActorPath.fromNodeName(Reads.name(path));
              if (actor.isWithin(prefix)) {
                actors.add(actor);
              }
            })
        .compose(listed -> stored(actors.stream().sorted().toList()));
  }

  /** Fails with {@code CORRUPT} if its record is damaged. */
  Future<Optional<StoredActor>> one(ActorPath path) {
    return stored(List.of(path))
        .map(
            found -> {
              String damage = found.unreadable().get(path);
              if (damage != null) {
                throw StoreException.corrupt(damage);
              }
              return found.readable().stream().findFirst();
            });
  }

  private Future<StoredActors> stored(List<ActorPath> actors) {
    Layout layout = session.layout();
    Handle handle = session.handle();
    return Reads.large(handle, actors.stream().map(layout::record).toList())
        .compose(
            nodes -> {
              List<Read> readable = new ArrayList<>();
              Map<ActorPath, String> damaged = new TreeMap<>();
              for (ActorPath actor : actors) {
                Node node = nodes.get(layout.record(actor));
                if (node != null) {
                  read(actor, node, readable, damaged);
                }
              }
              List<String> headers = readable.stream().flatMap(this::mailboxes).toList();
              return Reads.small(handle, headers)
                  .map(found -> readable.stream().map(each -> stored(each, found)).toList())
                  .map(all -> new StoredActors(all, damaged));
            });
  }

  private void read(
      ActorPath actor, Node node, List<Read> readable, Map<ActorPath, String> damaged) {
    String what = "znode " + session.layout().record(actor);
    try {
      readable.add(new Read(actor, ActorRecord.decode(what, node.data()), node));
    } catch (CodecException | StoreException e) {
      damaged.put(actor, String.valueOf(e.getMessage()));
    }
  }

  /** A mailbox that is being sealed has two. */
  private Stream<String> mailboxes(Read read) {
    long generation = Generation.of(read.record().next());
    return Stream.of(generation, generation + 1)
        .map(each -> session.layout().mailbox(read.actor(), each));
  }

  private StoredActor stored(Read read, Map<String, Node> headers) {
    long waiting =
        mailboxes(read)
            .flatMap(path -> Optional.ofNullable(headers.get(path)).stream())
            .mapToLong(header -> header.stat().getNumChildren())
            .sum();
    return new StoredActor(
        read.actor(),
        read.actor().partition(session.layout().partitions()),
        read.record(),
        waiting,
        Instant.ofEpochMilli(read.node().stat().getMtime()));
  }
}
