package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Lists the znodes of actors; what is not Callboard's is left to {@link Fsck}. */
final class ActorNames {
  private final NodeSession session;

  ActorNames(NodeSession session) {
    this.session = session;
  }

  /**
   * The paths of the znodes below the partitions of a top; partitions are asked for one after
   * another.
   *
   * @param top one of {@link Layout#TOP}
   * @param actorOf reads a name, and fails if it is none
   */
  Future<List<String>> of(
      String top, Predicate<Partition> wanted, Function<String, ActorPath> actorOf) {
    Handle handle = session.handle();
    Layout layout = session.layout();
    return handle
        .children(layout.top(top))
        .compose(
            found -> {
              List<String> all = new ArrayList<>();
              Future<Void> done = Future.succeededFuture();
              for (String name : found.orElse(List.of())) {
                if (layout.isPartition(name) && wanted.test(Partition.parse(name))) {
                  String parent = layout.top(top) + "/" + name;
                  Partition partition = Partition.parse(name);
                  done =
                      done.compose(before -> handle.children(parent))
                          .map(
                              names -> {
                                names.orElse(List.of()).stream()
                                    .filter(n -> layout.actor(partition, n, actorOf).isPresent())
                                    .forEach(n -> all.add(parent + "/" + n));
                                return null;
                              });
                }
              }
              return done.map(all);
            });
  }
}
