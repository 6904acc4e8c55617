package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Listing of the znodes of actors; names that are not Callboard's are left to {@link Fsck}. */
final class ActorNames {
  private final NodeSession session;

  ActorNames(NodeSession session) {
    this.session = session;
  }

  /**
   * Passes on the paths of the znodes below the partitions of a top. Partitions are listed one
   * after another, so the names of one are held at a time.
   *
   * @param top one of {@link Layout#TOP}
   * @param actorOf reads a name, and fails if it is none
   * @param found called with one path at a time
   */
  Future<Void> each(
      String top,
      Predicate<Partition> wanted,
      Function<String, ActorPath> actorOf,
      Consumer<String> found) {
    return partitions(top, wanted)
        .compose(
            partitions -> {
              Future<Void> done = Future.succeededFuture();
              for (Partition partition : partitions) {
                done =
                    done.compose(before -> below(top, partition, actorOf))
                        .map(
                            paths -> {
                              paths.forEach(found);
                              return null;
                            });
              }
              return done;
            });
  }

  /** Completes with the partitions below a top, in their order. */
  Future<List<Partition>> partitions(String top, Predicate<Partition> wanted) {
    Layout layout = session.layout();
    return session
        .handle()
        .children(layout.top(top))
        .map(
            found ->
                found.orElse(List.of()).stream()
                    .filter(layout::isPartition)
                    .map(Partition::parse)
                    .filter(wanted)
                    .sorted()
                    .toList());
  }

  /** Completes with the paths of the znodes of actors below one partition of a top. */
  Future<List<String>> below(String top, Partition partition, Function<String, ActorPath> actorOf) {
    Layout layout = session.layout();
    String parent = layout.top(top) + "/" + partition;
    return session
        .handle()
        .children(parent)
        .map(
            names ->
                names.orElse(List.of()).stream()
                    .filter(name -> layout.actor(partition, name, actorOf).isPresent())
                    .map(name -> parent + "/" + name)
                    .toList());
  }
}
