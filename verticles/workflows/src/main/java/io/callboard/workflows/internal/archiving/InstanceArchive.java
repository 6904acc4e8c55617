package io.callboard.workflows.internal.archiving;

import io.callboard.archive.WorkflowHistory;
import io.callboard.archive.WorkflowRow;
import io.callboard.archive.internal.ended.EndedRefusal;
import io.callboard.time.Time;
import io.callboard.workflows.internal.index.EndedInstance;
import io.callboard.workflows.internal.index.InstanceIndex;
import io.callboard.workflows.internal.retention.EndedArchive;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowRetention;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archive of ended instances in a database: writes instances before they are removed, a page after
 * another, and deletes rows that are beyond the retention.
 */
public final class InstanceArchive implements EndedArchive {
  /** Maximum number of instances that are woken at the same time. */
  private static final int AWAKE = 16;

  /** Size of the bodies from which a page takes no more instances, in characters. */
  private static final int MOST_PAGE = 4 << 20;

  /** Maximum number of refused instances that are remembered, so that each is logged once. */
  private static final int MOST_REFUSED = 1_000;

  /** Number of old rows that are deleted at once. */
  private static final int OLD = 1_000;

  private static final Duration EVERY = Duration.ofHours(1);
  private static final Logger log = LoggerFactory.getLogger(InstanceArchive.class);

  private final WorkflowHistory history;
  private final InstanceIndex index;
  private final WorkflowRetention retention;
  private final Function<String, Future<Optional<ArchivedInstance>>> instances;
  private final Time time;
  private final Set<EndedInstance> refused = ConcurrentHashMap.newKeySet();

  /** Time when all that was too old was deleted last; null if it never was. */
  private volatile @Nullable Instant swept;

  /**
   * Creates the archive of a node.
   *
   * @param index index of the node
   * @param instances reads an instance as it is in the cell; empty if there is none
   */
  public InstanceArchive(
      WorkflowHistory history,
      InstanceIndex index,
      WorkflowRetention retention,
      Function<String, Future<Optional<ArchivedInstance>>> instances,
      Time time) {
    this.history = history;
    this.index = index;
    this.retention = retention;
    this.instances = instances;
    this.time = time;
  }

  /**
   * Instance as it was read.
   *
   * @param row its row; null for none
   * @param gone whether there is nothing of it any more
   */
  private record Reading(EndedInstance ended, @Nullable WorkflowRow row, boolean gone) {}

  /** Rows that wait to be written, and what may be removed by now. */
  private static final class Page {
    private final Map<EndedInstance, WorkflowRow> rows = new LinkedHashMap<>();
    private final Set<EndedInstance> safe = new HashSet<>();
    private int size;

    void add(Reading reading) {
      if (reading.row() != null) {
        rows.put(reading.ended(), reading.row());
        size += reading.row().body().length();
      } else if (reading.gone()) {
        safe.add(reading.ended());
      }
    }
  }

  @Override
  public Future<Set<EndedInstance>> write(List<EndedInstance> ended) {
    Page page = new Page();
    return next(new ArrayDeque<>(ended), page).map(v -> page.safe);
  }

  /** Reads some of the rest, writes if that is enough, and goes on. */
  private Future<Void> next(Queue<EndedInstance> left, Page page) {
    if (left.isEmpty()) {
      return flush(page);
    }
    List<Future<Reading>> some = new ArrayList<>();
    while (some.size() < AWAKE && !left.isEmpty()) {
      some.add(read(left.remove()));
    }
    return Future.join(some)
        .compose(
            done -> {
              done.<Reading>list().forEach(page::add);
              return page.size > MOST_PAGE
                  ? flush(page).compose(v -> next(left, page))
                  : next(left, page);
            });
  }

  private Future<Reading> read(EndedInstance ended) {
    return instances
        .apply(ended.id())
        .map(found -> reading(ended, found))
        .recover(
            cause -> {
              log.debug("the instance {} cannot be read now", ended.id(), cause);
              return Future.succeededFuture(new Reading(ended, null, false));
            });
  }

  /** An instance that has changed since it was indexed is not written: it is indexed again. */
  private static Reading reading(EndedInstance ended, Optional<ArchivedInstance> found) {
    if (found.isEmpty()) {
      return new Reading(ended, null, true);
    }
    Instance instance = found.get().instance();
    boolean same = instance.state().isEnded() && ended.endedAt().equals(instance.endedAt());
    return new Reading(ended, same ? found.get().row(ended.change()) : null, false);
  }

  private Future<Void> flush(Page page) {
    Map<EndedInstance, WorkflowRow> rows = new LinkedHashMap<>(page.rows);
    page.rows.clear();
    page.size = 0;
    return history
        .write(List.copyOf(rows.values()))
        .map(
            bad -> {
              for (EndedInstance each : rows.keySet()) {
                String why = bad.get(each.id());
                if (why == null) {
                  page.safe.add(each);
                } else {
                  refused(each, why);
                }
              }
              return null;
            });
  }

  private void refused(EndedInstance instance, String why) {
    if (why.equals(EndedRefusal.DELETED)) {
      log.debug("the workflow instance {} is not archived: {}", instance.id(), why);
      return;
    }
    if (refused.size() >= MOST_REFUSED) {
      refused.clear();
    }
    if (refused.add(instance)) {
      log.error(
          "the archive's database refuses the workflow instance {}, which stays in the cell: {}",
          instance.id(),
          why);
    }
  }

  /** Rows are deleted by the node that owns the first partition, about once an hour. */
  @Override
  public Future<Boolean> tidy() {
    return index.owned().contains(0) ? deleteOld() : Future.succeededFuture(false);
  }

  private Future<Boolean> deleteOld() {
    Instant now = time.clock().instant();
    Instant last = swept;
    if (last != null && last.plus(EVERY).isAfter(now)) {
      return Future.succeededFuture(false);
    }
    Future<Boolean> done = history.sweepDeleted().map(false);
    for (InstanceState state : InstanceState.values()) {
      if (state.isEnded()) {
        done =
            done.compose(
                more ->
                    history
                        .deleteEnded(state.name(), now.minus(retention.rows(state)), OLD)
                        .map(deleted -> more || deleted == OLD));
      }
    }
    return done.onSuccess(more -> swept = more ? null : now);
  }
}
