package io.callboard.routing;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A router that starts its routees as its children, at {@code <its path>/1} and so on, and replaces
 * each that has ended: at once, or, if it ends again within {@link #LIVES}, after a pause that
 * doubles. Its messages to itself may find its mailbox full; so it also checks every {@link #LOOK}.
 */
final class Pool<M> extends Router<M> {
  /** Time after which the next end of a routee counts as its first. */
  static final Duration LIVES = Duration.ofSeconds(10);

  static final Duration LOOK = Duration.ofSeconds(5);

  private static final ExponentialBackoff PAUSES =
      Backoff.exponential(Duration.ofMillis(40), Duration.ofSeconds(5));
  private static final Logger log = LoggerFactory.getLogger(Pool.class);

  private final int size;
  private final Supplier<? extends Actor<M>> factory;
  private final ActorOptions options;
  private final Map<Integer, Routee<M>> places = new TreeMap<>();
  private final Map<Integer, Integer> ends = new TreeMap<>();

  /** Ended, with the cause; noted when it is told, before the message that tells it is handled. */
  private final Map<Integer, String> ended = new TreeMap<>();

  /** Numbers of the routees that are to be replaced. */
  private final Set<Integer> missing = new TreeSet<>();

  private boolean over;

  /** A message of the pool to itself. */
  private record Own(Runnable task) {}

  Pool(
      int size,
      Supplier<? extends Actor<M>> factory,
      ActorOptions options,
      Class<M> protocol,
      Routing<M> routing) {
    super(protocol, routing);
    this.size = size;
    this.factory = factory;
    this.options = options;
  }

  /**
   * Returns {@code task} in place of a message: it is made here only, and no codec knows it, so no
   * message of the protocol can be one.
   */
  @SuppressWarnings("unchecked")
  private M own(Runnable task) {
    return (M) new Own(task);
  }

  @Override
  public @Nullable Future<?> receive(M message) {
    if ((Object) message instanceof Own own) {
      own.task().run();
      return null;
    }
    return super.receive(message);
  }

  /** Returns false: what the pool does by itself is done at once. */
  @Override
  public boolean receivesItself() {
    return false;
  }

  @Override
  protected Future<?> started() {
    List<Future<?>> starts = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      starts.add(start(i));
    }
    startPeriodicTimer("look", LOOK, own(this::look));
    return Future.join(starts);
  }

  @Override
  protected Future<?> stopped() {
    over = true;
    return Future.succeededFuture();
  }

  private Future<?> start(int place) {
    return spawnChild(String.valueOf(place), factory, options)
        .map(
            ref -> {
              runs(place, ref);
              return ref;
            });
  }

  private void runs(int place, ActorRef<M> ref) {
    if (!over) {
      places.put(place, new Routee<>(ref));
      routees(List.copyOf(places.values()));
      watch(
          ref,
          end -> {
            ended.put(place, end.reason());
            return own(this::removeEnded);
          });
      startTimer("lives " + place, LIVES, own(() -> ends.remove(place)));
    }
  }

  private void look() {
    removeEnded();
    List.copyOf(missing).forEach(this::replace);
  }

  private void removeEnded() {
    Map<Integer, String> now = Map.copyOf(ended);
    ended.clear();
    now.forEach(this::remove);
  }

  private void remove(int place, String cause) {
    places.remove(place);
    routees(List.copyOf(places.values()));
    cancelTimer("lives " + place);
    int before = ends.merge(place, 1, Integer::sum) - 1;
    log.info("routee {}/{} is being replaced: {}", path(), place, cause);
    missing.add(place);
    if (before == 0) {
      replace(place);
    } else {
      later(place, before);
    }
  }

  private void later(int place, int ended) {
    startTimer("replace " + place, PAUSES.longest(ended), own(() -> replace(place)));
  }

  /**
   * Replaces a routee: one that its supervisor gave up still has its path, and its mail, until it
   * is stopped.
   */
  private void replace(int place) {
    if (missing.remove(place)) {
      callboard()
          .stop(at(place).toString())
          .compose(stopped -> start(place))
          .onFailure(cause -> notReplaced(place, cause));
    }
  }

  private ActorPath at(int place) {
    return path().child(String.valueOf(place));
  }

  /** One whose first start failed is tried again by its supervisor, and has its mailbox. */
  private void notReplaced(int place, Throwable cause) {
    if (over) {
      return;
    } else if (cause instanceof CallboardException ours && ours.code() == Code.START_FAILED) {
      runs(place, callboard().ref(at(place).toString(), messageType()));
    } else {
      log.warn("routee {}/{} could not be replaced yet, it is tried again", path(), place, cause);
      missing.add(place);
      later(place, ends.merge(place, 1, Integer::sum));
    }
  }
}
