package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.FirstOf;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reader of the stored records of actors, for any node, owner or not; a damaged record hides no
 * other.
 */
public final class ActorRecords {
  private final NodeSession session;
  private final ActorNames names;

  /** A record with its znode. */
  private record Read(ActorPath actor, ActorRecord record, Node node) {}

  /** Creates a reader. */
  public ActorRecords(NodeSession session) {
    this.session = session;
    this.names = new ActorNames(session);
  }

  /**
   * Completes with the first actors by path, of those behind {@code after}. ZooKeeper returns names
   * in no order, so all names of the space are read, one partition after another.
   */
  public Future<StoredActors> page(ActorPath prefix, int limit, Optional<ActorPath> after) {
    StoredActors.Builder page = new StoredActors.Builder(limit);
    FirstOf<ActorPath> first = new FirstOf<>(limit + 1, ActorPath::compareTo);
    return names
        .each(
            "a",
            partition -> partition.space().equals(prefix.space()),
            ActorPath::fromNodeName,
            path ->
                within(prefix, path)
                    .filter(actor -> after.filter(it -> actor.compareTo(it) <= 0).isEmpty())
                    .ifPresent(first::offer))
        .compose(listed -> fill(page, first.all(), 0));
  }

  private Future<StoredActors> fill(StoredActors.Builder page, List<ActorPath> listed, int from) {
    if (from == listed.size()) {
      return Future.succeededFuture(page.build(Optional.empty()));
    } else if (page.room() == 0) {
      return Future.succeededFuture(page.build(Optional.of(listed.get(from - 1))));
    }
    int most = Math.min(page.room(), Limits.PAGE_ACTORS);
    List<ActorPath> some = listed.subList(from, Math.min(listed.size(), from + most));
    return stored(some).compose(found -> fill(page, listed, from + page.add(some, found)));
  }

  private static Optional<ActorPath> within(ActorPath prefix, String path) {
    ActorPath actor = ActorPath.fromNodeName(BulkReads.name(path));
    return actor.isWithin(prefix) ? Optional.of(actor) : Optional.empty();
  }

  /** Passes on all records below a prefix, one partition after another. */
  public Future<Void> within(ActorPath prefix, Function<StoredActors, Future<Void>> page) {
    return names
        .partitions("a", partition -> partition.space().equals(prefix.space()))
        .compose(
            partitions -> {
              Future<Void> done = Future.succeededFuture();
              for (Partition partition : partitions) {
                done = done.compose(before -> of(partition, prefix, page));
              }
              return done;
            });
  }

  /** Passes on the records of one partition below a prefix. */
  public Future<Void> of(
      Partition partition, ActorPath prefix, Function<StoredActors, Future<Void>> page) {
    return names
        .below("a", partition, ActorPath::fromNodeName)
        .compose(paths -> pages(prefix, paths, page));
  }

  private Future<Void> pages(
      ActorPath prefix, List<String> paths, Function<StoredActors, Future<Void>> page) {
    List<ActorPath> actors = paths.stream().flatMap(path -> within(prefix, path).stream()).toList();
    Future<Void> done = Future.succeededFuture();
    for (int from = 0; from < actors.size(); from += Limits.PAGE_ACTORS) {
      List<ActorPath> some =
          actors.subList(from, Math.min(actors.size(), from + Limits.PAGE_ACTORS));
      done = done.compose(before -> stored(some)).compose(page);
    }
    return done;
  }

  /**
   * Completes with the records of some actors, after all that any node wrote before this read: each
   * in a request of its own, all under way at once, then the headers of their mailboxes in one.
   */
  public Future<StoredActors> of(List<ActorPath> actors) {
    Limits.checkActors(actors.size(), Limits.PAGE_ACTORS);
    return session.handle().sync(session.layout().root()).compose(synced -> stored(actors));
  }

  private Future<StoredActors> stored(List<ActorPath> actors) {
    Layout layout = session.layout();
    Handle handle = session.handle();
    return BulkReads.large(handle, actors.stream().map(layout::record).toList())
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
              return BulkReads.small(handle, headers)
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

  /** Returns the names of the actor's mailboxes: one that is being sealed has two. */
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
