package io.callboard.internal.parked;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ParkedFilter;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.ParkedKey;
import io.callboard.store.Store;
import io.callboard.store.StoredParked;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One bulk replay: finds parked messages and replays them at a rate, several in parallel. Every
 * method is called on the durable context.
 */
final class BulkReplayRun {
  /** Limit of its messages; further parked ones take another run. */
  static final int MOST = 10_000;

  /** Limit of the messages per second. */
  static final double HIGHEST_RATE = 1_000;

  private static final int READ_AT_ONCE = 50;
  private static final double STEPS_A_SECOND = 20;

  private static final Pattern USUAL = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

  private final NodeContext node;
  private final Store store;
  private final Function<List<StoredParked>, Future<Integer>> replay;
  private final double ratePerSecond;
  private final Promise<Integer> end = Promise.promise();
  private List<ParkedKey> keys = List.of();
  private int next;
  private int replayed;
  private Time.@Nullable Alarm timer;

  /**
   * @param replay replays messages in that order where possible, and returns how many it has
   */
  BulkReplayRun(
      NodeContext node,
      Store store,
      Function<List<StoredParked>, Future<Integer>> replay,
      double ratePerSecond) {
    this.node = node;
    this.store = store;
    this.replay = replay;
    this.ratePerSecond = ratePerSecond;
  }

  /**
   * Position of a message in its mailbox, parsed from the id that parking gives: {@code
   * <segment>-<index>}. Parsed once for each key, not with each comparison: there may be a hundred
   * thousand of them.
   */
  private record Place(ParkedKey key, long segment, long index) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.<Place, ActorPath>comparing(place -> place.key().actor())
            .thenComparingLong(Place::segment)
            .thenComparingLong(Place::index)
            .thenComparing(place -> place.key().id());

    static Place of(ParkedKey key) {
      Matcher usual = USUAL.matcher(key.id());
      return usual.matches()
          ? new Place(key, Long.parseLong(usual.group(1)), Long.parseLong(usual.group(2)))
          : new Place(key, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** Returns the keys in the order in which their messages came into their mailboxes. */
  private static List<ParkedKey> inOrder(List<ParkedKey> keys) {
    return keys.stream().map(Place::of).sorted().map(Place::key).toList();
  }

  /**
   * Completes with the number of replayed messages, at the end. Completes on the durable context.
   */
  Future<Integer> end() {
    return end.future();
  }

  /** Starts with the messages that match {@code filter}; completes with their number. */
  Future<Integer> start(ParkedFilter filter) {
    Promise<Integer> matched = Promise.promise();
    matched.future().onFailure(this::fail);
    boolean sifts = filter.type().isPresent() || filter.cause().isPresent();
    store
        .parkedKeys(filter.actor())
        .map(BulkReplayRun::inOrder)
        .onFailure(matched::fail)
        .onSuccess(
            found ->
                node.onDurableContext(
                    matched,
                    () -> {
                      if (sifts) {
                        sift(filter, found, 0, new ArrayList<>(), matched);
                      } else {
                        found(found, matched);
                      }
                    }));
    return matched.future();
  }

  private void sift(
      ParkedFilter filter,
      List<ParkedKey> all,
      int from,
      List<ParkedKey> matching,
      Promise<Integer> matched) {
    if (from >= all.size() || matching.size() >= MOST || isOver()) {
      found(matching, matched);
      return;
    }
    int to = Math.min(all.size(), from + READ_AT_ONCE);
    read(all.subList(from, to))
        .onFailure(matched::fail)
        .onSuccess(
            stored ->
                node.onDurableContext(
                    matched,
                    () -> {
                      stored.stream()
                          .filter(each -> ParkedContent.matches(filter, each))
                          .forEach(each -> matching.add(each.key()));
                      sift(filter, all, to, matching, matched);
                    }));
  }

  private Future<List<StoredParked>> read(List<ParkedKey> some) {
    List<Future<Optional<StoredParked>>> reads =
        some.stream().map(key -> store.parked(key)).toList();
    return Future.all(reads)
        .map(all -> reads.stream().flatMap(read -> read.result().stream()).toList());
  }

  private void found(List<ParkedKey> found, Promise<Integer> matched) {
    keys = found.stream().limit(MOST).toList();
    matched.complete(keys.size());
    step();
  }

  private boolean isOver() {
    return end.future().isComplete();
  }

  private void step() {
    if (isOver()) {
      return;
    } else if (next == keys.size()) {
      end.complete(replayed);
      return;
    }
    int size = (int) Math.max(1, Math.min(READ_AT_ONCE, ratePerSecond / STEPS_A_SECOND));
    List<ParkedKey> some = keys.subList(next, Math.min(keys.size(), next + size));
    long due = node.nanoTime() + (long) (some.size() / ratePerSecond * 1e9);
    next += some.size();
    read(some)
        .compose(replay)
        .onFailure(this::fail)
        .onSuccess(
            count ->
                node.onDurableContext(
                    end,
                    () -> {
                      replayed += count;
                      stepAt(due);
                    }));
  }

  private void stepAt(long due) {
    long nanos = due - node.nanoTime();
    if (nanos <= 0 || next == keys.size() || isOver()) {
      step();
    } else {
      timer = node.after(Duration.ofNanos(nanos), this::step);
    }
  }

  private void fail(Throwable cause) {
    node.onDurableContext(() -> end.tryFail(cause));
  }

  /** Replays no further messages. */
  void cancel() {
    if (timer != null) {
      timer.cancel();
    }
    end.tryFail(
        new CallboardException(
            Code.STOPPED,
            "the node stopped when %d of %d messages were replayed"
                .formatted(replayed, keys.size())));
  }
}
