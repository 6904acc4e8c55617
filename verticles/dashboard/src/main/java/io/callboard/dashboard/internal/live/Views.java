package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problems;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watched views, each read once for all its watchers. Used on one context only. */
final class Views {
  private static final Logger log = LoggerFactory.getLogger(Views.class);

  /** Time after which a reading counts as failed, so that old rows are not taken for new ones. */
  private static final long WITHIN_SECONDS = 5;

  /** Ticks after which rows that may lack some are read again: all members are asked for them. */
  static final int AGAIN_TICKS = 5;

  private final Context context;
  private final BiConsumer<View, View.Change> onChange;
  private final Map<Object, Watched> views = new LinkedHashMap<>();
  private long ticks;

  /** View with its number of watchers, and whether it must be read again. */
  private static final class Watched {
    private final View view;
    private int watchers;
    private boolean dirty = true;

    /** Whether some rows may be missing, which come without a change of a job. */
    private boolean lacks;

    private long readAtTick;
    private Future<Void> reading = Future.succeededFuture();

    Watched(View view) {
      this.view = view;
    }
  }

  /**
   * Creates the set of views.
   *
   * @param onChange receives what each reading changed
   */
  Views(Context context, BiConsumer<View, View.Change> onChange) {
    this.context = context;
    this.onChange = onChange;
  }

  /** Returns the view of {@code topic}, with one more watcher. */
  View open(LiveTopic topic) {
    Watched watched = views.computeIfAbsent(topic.key(), key -> new Watched(new View(topic)));
    watched.watchers++;
    return watched.view;
  }

  /** Removes one watcher of {@code view}. */
  void left(View view) {
    Watched watched = views.get(view.topic().key());
    if (watched != null && --watched.watchers == 0) {
      views.remove(view.topic().key());
    }
  }

  /** Completes when an open view has been read, with success or failure. */
  Future<Void> known(View view) {
    Watched watched = views.get(view.topic().key());
    return watched == null || view.loaded() ? Future.succeededFuture() : read(watched);
  }

  /** Marks the views that depend on jobs as possibly changed. */
  void markJobs() {
    for (Watched watched : views.values()) {
      watched.dirty |= watched.view.topic().onlyJobs();
    }
  }

  /** Reads each view that is due and may have changed. */
  Future<Void> readDue(long tick) {
    ticks = tick;
    List<Future<Void>> reads = new ArrayList<>();
    for (Watched watched : List.copyOf(views.values())) {
      LiveTopic topic = watched.view.topic();
      boolean due = ticks - watched.readAtTick >= topic.everyTicks();
      boolean again = watched.lacks && ticks - watched.readAtTick >= AGAIN_TICKS;
      boolean changed = watched.dirty || again || !topic.onlyJobs() || !watched.view.loaded();
      if (due && changed) {
        reads.add(read(watched));
      }
    }
    return Future.join(reads).mapEmpty();
  }

  /** Reads the rows, unless a reading is under way. */
  private Future<Void> read(Watched watched) {
    if (!watched.reading.isComplete()) {
      return watched.reading;
    }
    watched.dirty = false;
    watched.readAtTick = ticks;
    Promise<Void> done = Promise.promise();
    watched.reading = done.future();
    rows(watched.view.topic())
        .timeout(WITHIN_SECONDS, TimeUnit.SECONDS)
        .onComplete(
            read ->
                context.runOnContext(
                    v -> {
                      try {
                        take(watched.view, read);
                        watched.lacks =
                            read.succeeded() && read.result().containsKey(Topics.MISSING);
                      } finally {
                        done.complete();
                      }
                    }));
    return watched.reading;
  }

  private static Future<Map<String, ObjectNode>> rows(LiveTopic topic) {
    try {
      return topic.rows().get();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }

  private void take(View view, AsyncResult<Map<String, ObjectNode>> read) {
    if (read.succeeded()) {
      onChange.accept(view, view.replace(read.result()));
    } else {
      Problem problem =
          read.cause() instanceof TimeoutException
              ? Problem.of(
                  Problem.Kind.UNAVAILABLE, "no answer within %d s".formatted(WITHIN_SECONDS))
              : Problems.of(read.cause());
      log.debug("the dashboard topic {} cannot be read", view.topic().key(), read.cause());
      view.failed(problem.kind().name(), problem.detail());
    }
  }
}
