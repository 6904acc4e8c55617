package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.StatusJson;
import io.callboard.admin.SupervisionTree;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.SharedReading;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Readings of what is in failure zones of this node. Each looks at all actors, on a worker thread;
 * it is shared by all who ask for the same zones, and is their answer for a second, or a hundred
 * times as long as it took. Thread-safe.
 */
final class ContentsReadings {
  /** Maximum number of sets of zones that others ask for at the same time. */
  static final int MOST = 16;

  /** Time after which nobody asks for a set of zones any more. */
  static final Duration IDLE = Duration.ofSeconds(5);

  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int SHARE = 100;

  private final LongSupplier nanoTime;
  private final Function<Wanted, Future<ObjectNode>> source;
  private final Map<Wanted, Watched> watched = new HashMap<>();

  /** What is asked for: up to so many rows of each of these zones. */
  record Wanted(List<String> zones, int most) {}

  /** Reading that somebody asked for at that time. */
  private record Watched(SharedReading<ObjectNode> reading, long askedNanos) {}

  ContentsReadings(LongSupplier nanoTime, Function<Wanted, Future<ObjectNode>> source) {
    this.nanoTime = nanoTime;
    this.source = source;
  }

  /** Creates the readings of a node. */
  static ContentsReadings of(NodeContext node, Supplier<CallboardAdmin> admin) {
    return new ContentsReadings(node::nanoTime, wanted -> begin(node, admin, wanted));
  }

  private static Future<ObjectNode> begin(
      NodeContext node, Supplier<CallboardAdmin> admin, Wanted wanted) {
    return node.vertx()
        .executeBlocking(() -> admin.get().running(), false)
        .compose(running -> running)
        .compose(
            actors ->
                node.vertx()
                    .executeBlocking(
                        () -> build(admin.get(), actors, wanted, node.clock().instant()), false));
  }

  private static ObjectNode build(
      CallboardAdmin here, List<ActorStatus> actors, Wanted wanted, Instant now) {
    SupervisionTree tree =
        new SupervisionTree(actors, here.failureZones(), actor -> StatusJson.of(actor, now));
    return ZoneContents.of(tree, wanted.zones(), wanted.most());
  }

  /**
   * Completes with an answer that nobody may change, on any thread; fails with {@code UNAVAILABLE}
   * if too many sets of zones are asked for at the same time.
   */
  Future<ObjectNode> read(Wanted wanted) {
    SharedReading<ObjectNode> reading;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      watched.values().removeIf(each -> now - each.askedNanos() >= IDLE.toNanos());
      Watched known = watched.get(wanted);
      if (known == null && watched.size() >= MOST) {
        return Future.failedFuture(
            new CallboardException(
                Code.UNAVAILABLE,
                "the contents of %d other sets of failure zones are asked for at the same time, of at most %d"
                    .formatted(watched.size(), MOST)));
      }
      reading =
          known == null
              ? new SharedReading<>(nanoTime, () -> source.apply(wanted), ContentsReadings::kept)
              : known.reading();
      watched.put(wanted, new Watched(reading, now));
    }
    return reading.read();
  }

  /** Returns for how long a reading is the answer that took so long. */
  static Duration kept(Duration took) {
    Duration rest = took.multipliedBy(SHARE);
    return rest.compareTo(FRESH) < 0 ? FRESH : rest.compareTo(LONGEST) > 0 ? LONGEST : rest;
  }
}
