package io.callboard.archive;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.feed.FeedSink;
import io.callboard.feed.Feeds;
import io.callboard.journal.EventHistory;
import io.callboard.journal.FeedEvent;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history of actors in a database: H2 within the process, or PostgreSQL. Thread-safe; nothing
 * of it blocks.
 *
 * <pre>{@code
 * Archive.open(vertx, "jdbc:postgresql://db/callboard?user=callboard&password=…")
 *     .compose(archive -> Feeds.host(callboard, archive.sink()));
 * }</pre>
 */
public final class Archive {
  /** Maximum number of events on one page. */
  public static final int MOST_EVENTS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Archive.class);
  private static final int FEED_CONNECTIONS = 2;
  private static final int OTHER_CONNECTIONS = 6;

  private final Database feeds;
  private final Database database;
  private final String id;

  /**
   * Creates the archive.
   *
   * @param feeds connections for the feeds alone, so that nothing slow delays them
   * @param database connections for all other work
   */
  private Archive(Database feeds, Database database, String id) {
    this.feeds = feeds;
    this.database = database;
    this.id = id;
  }

  /**
   * Connects to the database and creates its tables, or updates them. All nodes of a cell use one
   * database; several cells use one schema each.
   *
   * <p>While the database cannot be reached, the attempt is repeated without limit, and each failed
   * attempt is logged.
   *
   * @param url JDBC URL, with user and password where they are needed; it is not logged
   * @return completes with the archive; fails at once for any other reason, such as a wrong
   *     password
   */
  public static Future<Archive> open(Vertx vertx, String url) {
    return open(vertx, url, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Connects like {@link #open(Vertx, String)}, for a limited time.
   *
   * @param patience time for which the attempt is repeated; zero for a single attempt
   */
  public static Future<Archive> open(Vertx vertx, String url, Duration patience) {
    Objects.requireNonNull(url, "url is null: give a JDBC URL, such as jdbc:h2:./archive");
    Objects.requireNonNull(patience, "patience is null: give Duration.ZERO for one attempt");
    return new Patience(vertx, patience, Time.SYSTEM).open(() -> connect(vertx, url));
  }

  private static Future<Archive> connect(Vertx vertx, String url) {
    return Database.open(vertx, url, "callboard-archive-feeds", FEED_CONNECTIONS)
        .compose(
            feeds ->
                Database.open(vertx, url, "callboard-archive", OTHER_CONNECTIONS)
                    .compose(others -> open(feeds, others))
                    .onFailure(
                        cause -> {
                          var unused = feeds.close();
                        }));
  }

  private static Future<Archive> open(Database feeds, Database others) {
    return twice(() -> feeds.durably(ArchiveId::of))
        .compose(id -> searchable(others).map(new Archive(feeds, others, id)))
        .onFailure(
            cause -> {
              var unused = others.close();
            });
  }

  /** Makes the search for jobs and instances fast, where the database lets this user do so. */
  private static Future<Void> searchable(Database others) {
    return twice(() -> others.transaction(TextSearch::prepare))
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.warn(
                  "the search in the text of ended jobs and workflow instances will be slow: PostgreSQL's extension pg_trgm cannot be used; let an administrator run CREATE EXTENSION pg_trgm in the archive's database: {}",
                  String.valueOf(cause.getMessage()));
              return null;
            });
  }

  /**
   * Runs an idempotent creation, and once more if it fails: of two simultaneous creators one is
   * refused, and finds the other's result at its second attempt.
   */
  private static <T> Future<T> twice(Supplier<Future<T>> made) {
    return made.get().recover(cause -> made.get());
  }

  /** Returns the sink for the feeds, to be hosted on every node that hosts them. */
  public FeedSink sink() {
    return new FeedSink() {
      @Override
      public String id() {
        return id;
      }

      @Override
      public Future<Void> write(List<FeedEvent> events, boolean begins) {
        return feeds.durably(connection -> EventTable.write(connection, events, begins)).mapEmpty();
      }
    };
  }

  /**
   * Returns the source from which nodes read events that journals no longer have ({@link
   * io.callboard.CallboardOptions#history()}).
   */
  public EventHistory events() {
    return (actor, begun, after, limit) ->
        database.transaction(
            connection -> EventTable.ofLife(connection, actor.toString(), begun, after, limit));
  }

  /** Returns the ended jobs of the cell. */
  public JobHistory jobs() {
    return new DatabaseJobs(database);
  }

  /** Returns the ended workflow instances of the cell. */
  public WorkflowHistory workflows() {
    return new DatabaseWorkflows(database);
  }

  /**
   * Returns events of an actor that is {@linkplain ActorOptions#archived archived}, and {@link
   * FeedEvent#ENDED} where it deleted itself, oldest first; also of an actor that does not exist
   * any more.
   *
   * @param after position in the archive behind which the events are; 0 for the first
   * @param limit 1 to {@value #MOST_EVENTS}
   * @return completes with the events; fails with a {@link io.callboard.store.StoreException} of
   *     kind {@code UNAVAILABLE} if the database does not answer, as all methods here do
   * @throws IllegalArgumentException for an invalid path or limit
   */
  public Future<List<FeedEvent>> history(String actor, long after, int limit) {
    String path = ActorPath.of(actor).toString();
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new IllegalArgumentException(
          "%d events at once: give a limit of 1 to %d".formatted(limit, MOST_EVENTS));
    }
    return database.transaction(
        connection -> EventTable.ofActor(connection, Feeds.ARCHIVE, path, after, limit));
  }

  /**
   * Returns the state of an actor after the last event that was committed at that time or before,
   * by the clock of the node that committed it.
   *
   * @param actor path of an actor that is archived since its first event
   * @param factory creates actors of its class, which define the effect of its events
   * @return its initial state if there was no event; fails with a {@link
   *     io.callboard.journal.ReplayException} if one cannot be read
   */
  public <S> Future<S> stateAsOf(
      String actor, Supplier<? extends PersistentActor<?, ?, S>> factory, Instant time) {
    Objects.requireNonNull(time, "time is null: give an instant");
    return new AsOf<>(database, ActorPath.of(actor), factory)
        .read((connection, path) -> EventTable.lastUntil(connection, path, time));
  }

  /**
   * Returns the state of an actor after its event of that number.
   *
   * @param event number of the event, in the last life of the actor that has one of that number
   * @return fails with {@link IllegalArgumentException} if there is none
   */
  public <S> Future<S> stateAsOf(
      String actor, Supplier<? extends PersistentActor<?, ?, S>> factory, long event) {
    return new AsOf<>(database, ActorPath.of(actor), factory)
        .read((connection, path) -> EventTable.numbered(connection, path, event));
  }

  /**
   * Keeps a projection up to date from now on, continuing where it stopped, for as long as {@code
   * callboard} is open. If several nodes ask for that, one at a time does the work. A failure is
   * logged and repeated without limit.
   *
   * @return fails if its tables cannot be prepared, with {@link IllegalStateException} if it
   *     follows another feed in this database, or with {@code PATH_TAKEN} if it is kept up here
   * @throws IllegalArgumentException if its name cannot be a segment of an actor's path
   */
  public Future<Void> project(Callboard callboard, Projection projection) {
    String name = Objects.requireNonNull(projection.name(), "the name of the projection is null");
    ActorPath path = ActorPath.of("/callboard/projection").child(callboard.node()).child(name);
    return twice(
            () ->
                database.transaction(
                    connection -> {
                      ProjectionTable.begin(connection, projection);
                      return name;
                    }))
        .compose(
            begun ->
                callboard.spawn(
                    path.toString(),
                    () -> new Projector(database, projection),
                    new ActorOptions().onBus(false).zone(ZoneDefaults.TOOLKIT)))
        .mapEmpty();
  }

  /**
   * Empties a projection's tables and restarts it with the first event of its feed, in one
   * transaction, which also applies the first 500 events: if they cannot be applied, nothing is
   * changed. Until the projection has caught up its tables show the past; to avoid that, give the
   * new projection another name and other tables, and switch its readers afterwards.
   *
   * @return fails with {@link UnsupportedOperationException} if the projection does not override
   *     {@link Projection#reset}, with {@link IllegalStateException} if it was never begun
   */
  public Future<Void> rebuild(Projection projection) {
    return database
        .transaction(connection -> ProjectionTable.rebuild(connection, projection))
        .mapEmpty();
  }

  /**
   * Returns how far a projection has come, on whichever node it runs.
   *
   * @return fails with {@link IllegalArgumentException} if there is none of that name
   */
  public Future<ProjectionStatus> status(String projection) {
    return database.transaction(connection -> ProjectionTable.status(connection, projection));
  }

  /** Returns the position of the last event of each feed in the archive. */
  public Future<Map<String, Long>> positions() {
    return database.transaction(CutTable::lasts);
  }

  /** Returns what {@link #cut} would move away, without changing anything. */
  public Future<FeedCut> ahead(String feed, long position) {
    return database.transaction(connection -> CutTable.look(connection, feed, position));
  }

  /**
   * Cuts a feed back to the position of its cell, after the cell was restored to a moment before
   * the archive's: later events are moved to the table {@code callboard_cut_event}. Projections
   * that have applied some of them are emptied when they continue, and restart with the first
   * event. No node of the cell may run.
   *
   * @param position returns the position of the feed in the cell, and fails if a node runs; called
   *     before and after, on a thread that may block, while no feed can write
   * @param now time recorded with the cut events
   * @return completes with what was cut; fails with {@link IllegalStateException} if the position
   *     changed meanwhile, and then nothing was cut
   */
  public Future<FeedCut> cut(String feed, LongSupplier position, Instant now) {
    return feeds.durably(
        connection -> {
          CutTable.lock(connection);
          long to = position.getAsLong();
          FeedCut cut = CutTable.cut(connection, feed, to, now);
          if (position.getAsLong() != to) {
            throw new IllegalStateException(
                "feed %s grew meanwhile: stop all nodes of the cell first".formatted(feed));
          }
          return cut;
        });
  }

  /**
   * Closes the connections; close all users of the archive first. Completes when nothing is open.
   */
  public Future<Void> close() {
    return Future.join(feeds.close(), database.close()).mapEmpty();
  }
}
