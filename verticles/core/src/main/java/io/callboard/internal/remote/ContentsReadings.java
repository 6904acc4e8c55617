package io.callboard.internal.remote;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.StatusJson;
import io.callboard.admin.SupervisionTree;
import io.callboard.codecs.Json;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.SharedReading;
import io.callboard.internal.context.TimeoutWheel;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Readings of what is in failure zones of this node. One reading looks at all actors, on a worker
 * thread; it is that of all who ask, for a second, or a hundred times as long as it took. Of it,
 * the answer for the same zones is written once. When the last who asks has gone, it is given up as
 * soon as it is too old for another. Thread-safe.
 */
final class ContentsReadings {
  /** Maximum number of sets of zones that others ask for at the same time. */
  static final int MOST = 16;

  /** Time after its last answer in which a set of zones is kept, if nobody asks for it. */
  static final Duration IDLE = Duration.ofSeconds(2);

  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int SHARE = 100;

  private final LongSupplier nanoTime;
  private final TimeoutWheel.Later later;
  private final SharedReading<SupervisionTree> tree;
  private final BiFunction<SupervisionTree, Wanted, Future<byte[]>> answer;
  private final Map<Wanted, Watched> watched = new HashMap<>();

  /** Whether something is held, and is looked at again in a while. */
  private boolean swept;

  /** Key of a reading: the zones, and the maximum number of rows of each. */
  record Wanted(List<String> zones, int most) {}

  /** Set of zones that somebody asks for, with the answer of the last reading. */
  private static final class Watched {
    private int asking;
    private long lastNanos;
    private WeakReference<SupervisionTree> of = new WeakReference<>(null);
    private @Nullable Future<byte[]> answer;
  }

  /**
   * Creates the readings.
   *
   * @param later what is held is given up with its help
   * @param trees begins a look at all actors
   * @param answer begins to write the answer; the tree has what is below all zones
   */
  ContentsReadings(
      LongSupplier nanoTime,
      TimeoutWheel.Later later,
      Supplier<Future<SupervisionTree>> trees,
      BiFunction<SupervisionTree, Wanted, Future<byte[]>> answer) {
    this.nanoTime = nanoTime;
    this.later = later;
    this.tree = new SharedReading<>(nanoTime, trees, ContentsReadings::kept);
    this.answer = answer;
  }

  /** Creates the readings of a node. */
  static ContentsReadings of(NodeContext node, Supplier<CallboardAdmin> admin) {
    return new ContentsReadings(
        node::nanoTime,
        node::afterMillis,
        () -> begin(node, admin),
        (tree, wanted) ->
            node.vertx()
                .executeBlocking(
                    () -> Json.bytes(ZoneContents.of(tree, wanted.zones(), wanted.most())), false));
  }

  private static Future<SupervisionTree> begin(NodeContext node, Supplier<CallboardAdmin> admin) {
    return node.vertx()
        .executeBlocking(() -> admin.get().running(), false)
        .compose(running -> running)
        .compose(
            actors ->
                node.vertx()
                    .executeBlocking(
                        () -> build(admin.get(), actors, node.clock().instant()), false));
  }

  private static SupervisionTree build(CallboardAdmin here, List<ActorStatus> actors, Instant now) {
    return new SupervisionTree(actors, here.failureZones(), actor -> StatusJson.of(actor, now));
  }

  /**
   * Completes with the JSON of an answer that nobody may change, on any thread; fails with {@code
   * UNAVAILABLE} if too many sets of zones are asked for at the same time.
   */
  Future<byte[]> read(Wanted wanted) {
    Watched set;
    synchronized (this) {
      forgetIdle();
      Watched known = watched.get(wanted);
      if (known == null && watched.size() >= MOST) {
        return Future.failedFuture(
            new CallboardException(
                Code.UNAVAILABLE,
                "the contents of %d other sets of failure zones are asked for at the same time, of at most %d"
                    .formatted(watched.size(), MOST)));
      }
      set = known == null ? new Watched() : known;
      set.asking++;
      watched.put(wanted, set);
    }
    return tree.read()
        .compose(read -> answer(set, read, wanted))
        .onComplete(answered -> answered(set));
  }

  private synchronized Future<byte[]> answer(Watched set, SupervisionTree read, Wanted wanted) {
    Future<byte[]> known = set.answer;
    if (known != null && set.of.refersTo(read) && !known.failed()) {
      return known;
    }
    Future<byte[]> begun = answer.apply(read, wanted);
    set.of = new WeakReference<>(read);
    set.answer = begun;
    return begun;
  }

  private synchronized void answered(Watched set) {
    set.asking--;
    set.lastNanos = nanoTime.getAsLong();
    if (!swept) {
      swept = true;
      later.run(IDLE.toMillis(), this::sweep);
    }
  }

  private synchronized void sweep() {
    forgetIdle();
    swept = tree.release() || !watched.isEmpty();
    if (swept) {
      later.run(IDLE.toMillis(), this::sweep);
    }
  }

  private void forgetIdle() {
    long now = nanoTime.getAsLong();
    watched.values().removeIf(each -> each.asking == 0 && now - each.lastNanos >= IDLE.toNanos());
  }

  /** Returns for how long a reading is kept that took so long. */
  static Duration kept(Duration took) {
    Duration rest = took.multipliedBy(SHARE);
    return rest.compareTo(FRESH) < 0 ? FRESH : rest.compareTo(LONGEST) > 0 ? LONGEST : rest;
  }
}
