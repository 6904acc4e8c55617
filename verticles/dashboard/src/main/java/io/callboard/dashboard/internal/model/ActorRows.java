package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailboxSurvey;
import io.callboard.admin.StatusJson;
import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.Limits;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Actors as JSON: those that run on this node, and the stored data of the durable ones. */
public final class ActorRows {
  private final Callboard callboard;

  /** Maximum number of records read for one list of stopped actors. */
  private static final int MOST_LOOKED_AT = 20_000;

  private final Clock clock;

  /** Creates the reader. */
  public ActorRows(Callboard callboard, Clock clock) {
    this.callboard = callboard;
    this.clock = clock;
  }

  /**
   * Query for a list of actors.
   *
   * @param prefix path at or below which they are; null for those that run here
   * @param state state; null for any
   * @param system whether they are the toolkit's own; null for both
   * @param limit maximum number of rows
   */
  public record Query(
      @Nullable ActorPath prefix,
      ActorStatus.@Nullable State state,
      @Nullable Boolean system,
      int limit) {
    /** Returns whether an actor that runs here is one of those, whatever its path. */
    private boolean has(ActorStatus actor) {
      return (state == null || actor.state() == state)
          && (system == null || ToolkitActors.isOne(actor) == system);
    }
  }

  /**
   * Page of actors.
   *
   * @param rows the rows
   * @param truncated whether there are more than the limit
   */
  public record Page(List<ObjectNode> rows, boolean truncated) {}

  /** Returns the actors in the order of their paths. */
  public Future<Page> list(Query query) {
    ActorPath prefix = query.prefix();
    if (prefix == null) {
      return callboard
          .admin()
          .running()
          .map(
              running ->
                  page(
                      query,
                      byPath(
                          running.stream().filter(query::has).limit(query.limit() + 1L).toList(),
                          null)));
    }
    if (query.state() == ActorStatus.State.STOPPED) {
      return stopped(query, prefix);
    }
    return Future.all(callboard.admin().running(), callboard.members())
        .compose(
            all -> {
              Map<ActorPath, ObjectNode> running = byPath(all.resultAt(0), prefix);
              List<?> members = all.resultAt(1);
              Map<ActorPath, ObjectNode> rows = new TreeMap<>();
              return addStored(rows, query, running.keySet(), members.size(), Optional.empty())
                  .map(added -> page(query, merged(rows, running)));
            })
        .compose(this::withStored);
  }

  /**
   * Returns the rows of stored actors within a path, in the order of their paths.
   *
   * @param after path behind which they begin; empty for the first
   */
  public Future<List<ObjectNode>> stored(ActorPath prefix, Optional<ActorPath> after, int limit) {
    return callboard
        .members()
        .compose(
            members ->
                callboard
                    .admin()
                    .stored(prefix, limit, after)
                    .map(
                        page -> {
                          Map<ActorPath, ObjectNode> rows = new TreeMap<>();
                          put(rows, page, members.size());
                          return List.copyOf(rows.values());
                        }));
  }

  private static void put(Map<ActorPath, ObjectNode> rows, StoredActors page, int members) {
    page.readable().forEach(actor -> rows.put(actor.path(), stored(actor, members)));
    page.unreadable().forEach((path, why) -> rows.put(path, damaged(path, why, members)));
  }

  /**
   * Adds the first stored actors, until one more than the page holds does not run here: actors
   * behind that belong on the page only if they run here.
   */
  private Future<Void> addStored(
      Map<ActorPath, ObjectNode> rows,
      Query query,
      Set<ActorPath> running,
      int members,
      Optional<ActorPath> after) {
    int limit = (int) Math.min(query.limit() + 1L + running.size(), Limits.PAGE_LIMIT);
    return callboard
        .admin()
        .stored(Objects.requireNonNull(query.prefix()), limit, after)
        .compose(
            page -> {
              put(rows, page, members);
              long elsewhere = rows.keySet().stream().filter(p -> !running.contains(p)).count();
              return page.next().isEmpty() || elsewhere > query.limit()
                  ? Future.succeededFuture()
                  : addStored(rows, query, running, members, page.next());
            });
  }

  /** Returns the stopped actors, also those that are not in memory but whose records say so. */
  private Future<Page> stopped(Query query, ActorPath prefix) {
    TreeMap<ActorPath, ObjectNode> rows = new TreeMap<>();
    AtomicInteger looked = new AtomicInteger();
    return Future.all(callboard.admin().running(), callboard.members())
        .compose(
            all -> {
              List<?> members = all.resultAt(1);
              return callboard
                  .admin()
                  .stored(prefix, page -> keepStopped(page, rows, query, members.size(), looked))
                  .recover(
                      cause ->
                          cause instanceof EnoughException
                              ? Future.succeededFuture()
                              : Future.failedFuture(cause))
                  .map(done -> page(query, merged(rows, byPath(all.resultAt(0), prefix))));
            })
        .map(page -> new Page(page.rows(), page.truncated() || looked.get() >= MOST_LOOKED_AT))
        .compose(this::withStored);
  }

  private static void keepStopped(
      StoredActors page,
      TreeMap<ActorPath, ObjectNode> rows,
      Query query,
      int members,
      AtomicInteger looked) {
    for (StoredActor actor : page.readable()) {
      if (actor.record().stopped()) {
        rows.put(actor.path(), stored(actor, members));
      }
      if (rows.size() > query.limit() + 1) {
        rows.pollLastEntry();
      }
    }
    if (looked.addAndGet(page.readable().size()) >= MOST_LOOKED_AT) {
      throw new EnoughException();
    }
  }

  /** Signal that the maximum number of records was read. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnoughException() {
      super("%d records were read".formatted(MOST_LOOKED_AT), null, false, false);
    }
  }

  private static Map<ActorPath, ObjectNode> merged(
      Map<ActorPath, ObjectNode> stored, Map<ActorPath, ObjectNode> running) {
    running.forEach((path, row) -> stored.merge(path, row, ActorRows::joined));
    return stored;
  }

  /** Adds the stored data to the durable actors of the page. */
  private Future<Page> withStored(Page page) {
    List<ObjectNode> rows = new ArrayList<>(page.rows());
    Future<Void> done = Future.succeededFuture();
    for (int i = 0; i < rows.size(); i++) {
      int place = i;
      ObjectNode row = rows.get(i);
      if (row.path("durable").asBoolean() && !row.has("stored")) {
        done =
            done.compose(before -> callboard.admin().stored(row.path("path").asText()))
                .transform(
                    read -> {
                      if (read.failed()) {
                        row.putObject("stored")
                            .put("unreadable", String.valueOf(read.cause().getMessage()));
                      } else {
                        read.result()
                            .ifPresent(actor -> rows.set(place, joined(stored(actor, 1), row)));
                      }
                      return Future.succeededFuture();
                    });
      }
    }
    return done.map(all -> new Page(rows, page.truncated()));
  }

  /**
   * Returns one actor with its failures; empty if it neither runs here nor is stored. Fails if its
   * record is damaged.
   */
  public Future<Optional<ObjectNode>> one(ActorPath path) {
    return Future.all(callboard.admin().stored(path.toString()), callboard.members())
        .map(
            all -> {
              Optional<StoredActor> stored = all.resultAt(0);
              List<?> members = all.resultAt(1);
              Optional<ObjectNode> here = callboard.admin().running(path).map(this::row);
              Optional<ObjectNode> there = stored.map(actor -> stored(actor, members.size()));
              return here.isPresent() && there.isPresent()
                  ? Optional.of(joined(there.get(), here.get()))
                  : here.or(() -> there);
            })
        .compose(found -> found.isPresent() ? withMailbox(path, found.get()) : none())
        .compose(found -> found.isPresent() ? withOwner(path, found.get()) : none())
        .compose(found -> found.isPresent() ? withHistory(path, found.get()) : none());
  }

  /** Adds the failures; if they cannot be read, the rest is still shown. */
  private Future<Optional<ObjectNode>> withHistory(ActorPath path, ObjectNode row) {
    return callboard
        .admin()
        .failures(path.toString())
        .transform(
            read -> {
              if (read.succeeded()) {
                ObjectNode unused = StatusJson.putHistory(row, read.result());
              } else {
                row.put("historyUnreadable", String.valueOf(read.cause().getMessage()));
              }
              return Future.succeededFuture(Optional.of(row));
            });
  }

  /** Adds the owner, if it is known. */
  private Future<Optional<ObjectNode>> withOwner(ActorPath path, ObjectNode row) {
    boolean elsewhere = row.path("state").asText().equals(ActorStatus.State.ELSEWHERE.name());
    if (!elsewhere && row.has("node")) {
      return Future.succeededFuture(Optional.of(row));
    }
    return callboard
        .admin()
        .owner(path.toString())
        .transform(
            read -> {
              if (read.succeeded()) {
                read.result().ifPresent(node -> row.put("owner", node));
              }
              return Future.succeededFuture(Optional.of(row));
            });
  }

  private static Future<Optional<ObjectNode>> none() {
    return Future.succeededFuture(Optional.empty());
  }

  /** Adds the mailbox, read from the store if this node is not the owner. */
  private Future<Optional<ObjectNode>> withMailbox(ActorPath path, ObjectNode row) {
    long waiting = row.at("/stored/waiting").asLong();
    if (row.has("mailbox") || waiting == 0) {
      return Future.succeededFuture(Optional.of(row));
    }
    return callboard
        .admin()
        .waiting(path.toString(), 1)
        .map(
            first -> {
              ObjectNode mailbox = row.putObject("mailbox").put("depth", waiting);
              first.stream()
                  .findFirst()
                  .ifPresent(
                      oldest -> StatusJson.putOldest(mailbox, oldest.since(), clock.instant()));
              return Optional.of(row);
            });
  }

  /** Returns whether the shared survey has all these mailboxes. */
  public static boolean isOfSurvey(@Nullable ActorPath prefix, int limit) {
    return prefix == null && limit <= MailboxSurvey.FIRST;
  }

  /**
   * Returns the durable mailboxes that this node owns, deepest first; without a prefix from the
   * last survey, if that has as many.
   */
  public Future<List<ObjectNode>> mailboxes(@Nullable ActorPath prefix, int limit) {
    CallboardAdmin admin = callboard.admin();
    Future<List<ActorStatus>> actors =
        isOfSurvey(prefix, limit)
            ? admin.mail().map(mail -> mail.every().first())
            : admin.running();
    return actors.map(
        owners ->
            MailboxFigures.of(owners).all().stream()
                .filter(each -> prefix == null || each.actor().path().isWithin(prefix))
                .limit(limit)
                .map(this::mailboxRow)
                .toList());
  }

  private ObjectNode mailboxRow(MailboxFigures.Row each) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("path", each.actor().path().toString())
        .put("node", each.actor().node())
        .put("state", each.actor().state().name())
        .put("handled", each.actor().handled())
        .setAll(StatusJson.of(each.mailbox(), clock.instant()));
  }

  /** Returns one row for each parked message, without the messages' contents. */
  public Future<List<ObjectNode>> parked(int limit) {
    return callboard
        .admin()
        .parked(limit)
        .map(parked -> parked.stream().map(each -> ParkedRows.row(each, false)).toList());
  }

  private Map<ActorPath, ObjectNode> byPath(List<ActorStatus> running, @Nullable ActorPath prefix) {
    Map<ActorPath, ObjectNode> rows = new TreeMap<>();
    for (ActorStatus actor : running) {
      if (prefix == null || actor.path().isWithin(prefix)) {
        rows.put(actor.path(), row(actor));
      }
    }
    return rows;
  }

  private static Page page(Query query, Map<ActorPath, ObjectNode> rows) {
    List<ObjectNode> items = new ArrayList<>();
    ActorStatus.State state = query.state();
    for (ObjectNode row : rows.values()) {
      boolean wanted = query.system() == null || row.path("system").asBoolean() == query.system();
      if (wanted && (state == null || row.path("state").asText().equals(state.name()))) {
        if (items.size() == query.limit()) {
          return new Page(items, true);
        }
        items.add(row);
      }
    }
    return new Page(items, false);
  }

  /** Returns the row of an actor that runs here. */
  public ObjectNode row(ActorStatus actor) {
    return StatusJson.of(actor, clock.instant());
  }

  /**
   * Returns the row of an actor that does not run here: on the only node it is passivated,
   * otherwise it may run elsewhere.
   */
  private static ObjectNode notHere(ActorPath path, int members) {
    ActorStatus.State state =
        members > 1 ? ActorStatus.State.ELSEWHERE : ActorStatus.State.PASSIVATED;
    return JsonNodeFactory.instance
        .objectNode()
        .put("path", path.toString())
        .put("durable", true)
        .put("state", state.name());
  }

  /** Returns the row of an actor whose record cannot be read. */
  private static ObjectNode damaged(ActorPath path, String why, int members) {
    ObjectNode row = notHere(path, members);
    row.putObject("stored").put("unreadable", why);
    return row;
  }

  private static ObjectNode stored(StoredActor actor, int members) {
    ObjectNode row = notHere(actor.path(), members);
    if (actor.record().stopped()) {
      row.put("state", ActorStatus.State.STOPPED.name());
    }
    ObjectNode stored =
        row.putObject("stored")
            .put("partition", actor.partition().toString())
            .put("turn", actor.record().turn())
            .put("epoch", actor.record().epoch())
            .put("waiting", actor.waiting())
            .put("sent", actor.record().sent())
            .put("changed", actor.changed().toString());
    actor.record().newest().ifPresent(newest -> state(stored, actor.record(), newest));
    return row;
  }

  private static void state(ObjectNode stored, ActorRecord record, StoredSnapshot newest) {
    stored.put("stateType", newest.type().name());
    if (newest.event() > 0) {
      stored
          .put("snapshots", record.snapshots().size())
          .put("snapshotEvent", newest.event())
          .put("snapshotAt", newest.at().toString());
    }
  }

  private static ObjectNode joined(ObjectNode stored, ObjectNode running) {
    ObjectNode row = running.deepCopy();
    row.set("stored", stored.path("stored"));
    return row;
  }
}
