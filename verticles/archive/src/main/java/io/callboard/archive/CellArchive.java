package io.callboard.archive;

import io.callboard.feed.FeedSink;
import io.callboard.journal.EventHistory;
import io.callboard.journal.FeedEvent;
import io.callboard.part.NodePart;
import io.callboard.store.StoreException;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of a node to the cell's archive. A database that cannot be reached when the node
 * starts is tried again: feeds wait for it, and nothing else does. Thread-safe; nothing of it
 * blocks.
 */
public final class CellArchive {
  private static final Logger log = LoggerFactory.getLogger(CellArchive.class);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final Time time;
  private final AtomicReference<@Nullable Archive> archive = new AtomicReference<>();
  private boolean closed;
  private Time.@Nullable Alarm again;
  private Future<?> attempt = Future.succeededFuture();

  private CellArchive(Vertx vertx, Time time) {
    this.vertx = vertx;
    this.time = time;
  }

  /**
   * Returns the archive as a part of a node: it has the events of {@linkplain
   * io.callboard.ActorOptions#archived archived} actors, and the jobs and workflow instances that
   * have ended.
   *
   * @param url JDBC URL of a PostgreSQL or H2 database, the same on every node of the cell; see
   *     {@link ArchiveUrl}
   */
  public static NodePart<CellArchive> part(String url) {
    return new ArchivePart(url);
  }

  /** Starts to open an archive. */
  static CellArchive open(Vertx vertx, Time time, String url) {
    CellArchive archive = new CellArchive(vertx, time);
    archive.connect(url);
    return archive;
  }

  private synchronized void connect(String to) {
    if (!closed) {
      attempt =
          Archive.open(vertx, to, Duration.ZERO)
              .onSuccess(archive::set)
              .onFailure(cause -> failed(to, cause));
    }
  }

  private synchronized void failed(String to, Throwable cause) {
    if (closed) {
      log.debug("the archive was not opened before the node closed", cause);
      return;
    }
    log.error(
        "the archive's database cannot be used, feeds wait for it; the connection is retried every {} ms: {}",
        AGAIN.toMillis(),
        Causes.rootMessage(cause));
    log.info("the archive cannot be opened", cause);
    again = time.after(vertx.getOrCreateContext(), AGAIN, () -> connect(to));
  }

  /** Returns the source of events that journals no longer have. */
  EventHistory events() {
    return (actor, begun, after, limit) -> {
      Archive opened = archive.get();
      return opened == null
          ? Future.failedFuture(unreachable())
          : opened.events().events(actor, begun, after, limit);
    };
  }

  static StoreException unreachable() {
    return StoreException.unavailable("the archive's database cannot be reached", null);
  }

  /** Returns the ended jobs of the cell. */
  public JobHistory jobs() {
    return new ReachedJobHistory(archive::get);
  }

  /** Returns the ended workflow instances of the cell. */
  public WorkflowHistory workflows() {
    return new ReachedWorkflowHistory(archive::get);
  }

  FeedSink sink() {
    return new FeedSink() {
      @Override
      public @Nullable String id() {
        Archive opened = archive.get();
        return opened == null ? null : opened.sink().id();
      }

      @Override
      public Future<Void> write(List<FeedEvent> events, boolean begins) {
        Archive opened = archive.get();
        return opened == null
            ? Future.failedFuture(unreachable())
            : opened.sink().write(events, begins);
      }
    };
  }

  /** Ends the attempts to connect; completes when nothing is open any more. */
  synchronized Future<?> close() {
    closed = true;
    if (again != null) {
      again.cancel();
    }
    return attempt.transform(
        done -> {
          Archive opened = archive.get();
          return opened == null ? Future.succeededFuture() : opened.close();
        });
  }
}
