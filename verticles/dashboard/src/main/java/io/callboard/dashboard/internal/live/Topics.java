package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.RemoteAdmin;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.attention.Attention;
import io.callboard.dashboard.internal.model.ActorRows;
import io.callboard.dashboard.internal.model.CellActors;
import io.callboard.dashboard.internal.model.CellModel;
import io.callboard.dashboard.internal.model.CellNodes;
import io.callboard.dashboard.internal.model.Partial;
import io.callboard.dashboard.internal.model.SourceRows;
import io.callboard.dashboard.internal.model.SupervisionRows;
import io.callboard.dashboard.internal.model.TypeRows;
import io.callboard.dashboard.internal.rest.NoSources;
import io.callboard.dashboard.internal.rest.NoWorkflows;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import io.callboard.pollers.Sources;
import io.callboard.time.Time;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Topics to which clients can subscribe. */
public final class Topics {
  private static final List<String> KNOWN =
      List.of(
          "overview",
          "attention",
          "actors",
          "mailboxes",
          "deadletters",
          "zones",
          "nodes",
          "node/<name>",
          "events",
          "roles",
          "hosts",
          "types",
          "jobs",
          "job/<id>",
          "workflows",
          "workflow-counts",
          "workflow/<id>",
          "sources");

  /** Key and field of the row that says why others may be missing. */
  static final String MISSING = "missing";

  private static final int MOST_JOBS = 200;
  private static final int MOST_ACTORS = 500;

  private static final int MOST_PARKED = 200;

  /** Interval of readings of hosts, in ticks: each is a message to the gate. */
  private static final int HOSTS_TICKS = 5;

  /** Each reading of roles is one of the store. */
  private static final int ROLES_TICKS = 2;

  /** Each reading of events is one of the store. */
  private static final int EVENTS_TICKS = 5;

  /** Each reading of types is one of the store. */
  private static final int TYPES_TICKS = 2;

  /** Each reading of parked messages is one of the store. */
  private static final int PARKED_TICKS = 3;

  /** Each reading of sources is a message to the actor of each. */
  private static final int SOURCES_TICKS = 2;

  /** Each reading of a tree of another node is a question to that node. */
  private static final int OTHERS_TICKS = 2;

  private final Vertx vertx;
  private final Time time;
  private final CellModel model;
  private final Attention attention;
  private final ActorRows actors;
  private final SupervisionRows supervision;
  private final CellActors cellActors;
  private final CellNodes nodes;
  private final Optional<Jobs> jobs;
  private final Optional<Workflows> workflows;
  private final Optional<Sources> sources;
  private final Grid grid;

  /** Creates the topics of a node, which may have no jobs, no workflow engine and no sources. */
  public Topics(
      Vertx vertx,
      Time time,
      CellModel model,
      Attention attention,
      ActorRows actors,
      SupervisionRows supervision,
      CellActors cellActors,
      CellNodes nodes,
      Optional<Jobs> jobs,
      Optional<Workflows> workflows,
      Optional<Sources> sources,
      Grid grid) {
    this.vertx = vertx;
    this.time = time;
    this.model = model;
    this.attention = attention;
    this.actors = actors;
    this.supervision = supervision;
    this.cellActors = cellActors;
    this.nodes = nodes;
    this.jobs = jobs;
    this.workflows = workflows;
    this.sources = sources;
    this.grid = grid;
  }

  /**
   * Returns a topic.
   *
   * @param query narrows the topic; may be missing
   * @throws IllegalArgumentException if there is no such topic or the query is wrong; the message
   *     says why
   */
  LiveTopic find(String name, JsonNode query) {
    if (name.startsWith("job/") && name.length() <= 100) {
      return job(scheduler(), name.substring("job/".length()));
    }
    if (name.startsWith("workflow/") && name.length() <= 110) {
      return WorkflowTopics.one(engine(), name.substring("workflow/".length()));
    }
    if (name.startsWith("node/") && name.length() <= 205) {
      String node = name.substring("node/".length());
      return polled(
          name,
          1,
          () ->
              nodes.one(node).map(found -> byField("name", found.map(List::of).orElse(List.of()))));
    }
    return switch (name) {
      case "overview" -> polled(name, 1, () -> model.overview());
      case "attention" -> polled(name, 1, this::troubles);
      case "zones" -> polled(name, 1, () -> Future.succeededFuture(byField("name", model.zones())));
      case "nodes" -> polled(name, 1, () -> nodes.list().map(rows -> byField("name", rows)));
      case "events" -> events();
      case "roles" -> roles();
      case "hosts" -> hosts(scheduler());
      case "types" -> types(scheduler());
      case "actors" -> actors(query);
      case "mailboxes" -> mailboxes(query);
      case "deadletters" -> parked(query);
      case "jobs" -> jobs(scheduler(), query);
      case "workflows" -> WorkflowTopics.list(engine(), query);
      case "workflow-counts" -> WorkflowTopics.counts(engine(), query);
      case "sources" -> sources();
      default ->
          throw new IllegalArgumentException(
              "unknown topic \"%.80s\"; there are %s".formatted(name, String.join(", ", KNOWN)));
    };
  }

  /**
   * Returns the troubles, a row with what was read, and one with how many further ones there are,
   * if there are any.
   */
  private Future<Map<String, ObjectNode>> troubles() {
    return attention
        .now()
        .map(
            found -> {
              Map<String, ObjectNode> rows =
                  byField("id", found.items().stream().map(Json::tree).toList());
              rows.put("read", JsonNodeFactory.instance.objectNode().put("read", found.read()));
              if (found.omittedInAll() > 0) {
                ObjectNode further = JsonNodeFactory.instance.objectNode();
                further.put("omitted", found.omittedInAll());
                rows.put("omitted", further.set("omittedBySeverity", Json.tree(found.omitted())));
              }
              return rows;
            });
  }

  /** Returns a topic that is read every few ticks. */
  static LiveTopic polled(
      Object key, int everyTicks, Supplier<Future<Map<String, ObjectNode>>> rows) {
    return new LiveTopic(key, rows, everyTicks, false);
  }

  private LiveTopic actors(JsonNode query) {
    if (query.has("tree")) {
      return tree(query.path("tree"), text(query, "node"), limit(query, RemoteAdmin.MOST_CHILDREN));
    }
    String one = text(query, "path");
    if (one != null) {
      ActorPath path = ActorPath.of(one);
      String node = text(query, "node");
      return polled(
          List.of("actor", one, String.valueOf(node)),
          1,
          () ->
              cellActors
                  .one(path, node)
                  .map(found -> byField("path", found.map(List::of).orElse(List.of()))));
    }
    String prefix = text(query, "prefix");
    ActorRows.Query asked =
        new ActorRows.Query(
            prefix == null ? null : ActorPath.of(prefix),
            state(query, ActorStatus.State.class),
            prefix == null ? false : null,
            limit(query, MOST_ACTORS));
    return polled(asked, 1, paced(() -> actors.list(asked).map(page -> rows(asked, page.rows()))));
  }

  /** Returns actors, before which are the failure zones in the same state, if one is asked for. */
  private Map<String, ObjectNode> rows(ActorRows.Query asked, List<ObjectNode> found) {
    ActorStatus.State state = asked.state();
    List<ObjectNode> all = new ArrayList<>();
    if (state != null) {
      all.addAll(supervision.zones(asked.prefix(), state.name()));
    }
    all.addAll(found);
    return byField("path", all.subList(0, Math.min(all.size(), asked.limit())));
  }

  /**
   * Returns the topic of the contents of some failure zones, each by its path, the root by a slash;
   * what is in the toolkit's own, by {@code system}.
   *
   * @param node node whose zones they are, which has a pace of its own if it is another; null for
   *     this one
   */
  private LiveTopic tree(JsonNode open, @Nullable String node, int limit) {
    if (!open.isArray() || open.isEmpty() || open.size() > RemoteAdmin.MOST_ZONES) {
      throw new IllegalArgumentException(
          "q.tree must be an array of 1 to %d paths of failure zones"
              .formatted(RemoteAdmin.MOST_ZONES));
    }
    List<String> zones = new ArrayList<>();
    open.forEach(zone -> zones.add(place(zone.asText())));
    if (node != null && cellActors.isOther(node)) {
      return polled(
          List.of("tree", zones, limit, node),
          OTHERS_TICKS,
          () -> cellActors.contents(node, zones, limit));
    }
    return polled(List.of("tree", zones, limit), 1, paced(() -> supervision.tree(zones, limit)));
  }

  private static String place(String zone) {
    return SupervisionRows.isPlace(zone) ? zone : ActorPath.of(zone).toString();
  }

  /** Returns a reading that looks at all actors, and does so no more often than it may. */
  private <T> Supplier<Future<T>> paced(Supplier<Future<T>> source) {
    return new PacedReading<>(vertx, time::nanoTime, source);
  }

  private LiveTopic mailboxes(JsonNode query) {
    String prefix = text(query, "prefix");
    ActorPath within = prefix == null ? null : ActorPath.of(prefix);
    int limit = limit(query, MOST_ACTORS);
    Supplier<Future<Map<String, ObjectNode>>> rows =
        () -> actors.mailboxes(within, limit).map(found -> byField("path", found));
    boolean ofSurvey = ActorRows.isOfSurvey(within, limit); // which has a pace of its own
    return polled(
        List.of("mailboxes", String.valueOf(prefix), limit), 1, ofSurvey ? rows : paced(rows));
  }

  private LiveTopic parked(JsonNode query) {
    int limit = limit(query, MOST_PARKED);
    return polled(
        List.of("deadletters", limit),
        PARKED_TICKS,
        () -> actors.parked(limit).map(rows -> byField("id", rows)));
  }

  private Jobs scheduler() {
    return jobs.orElseThrow(() -> new IllegalArgumentException(CellModel.NO_JOBS));
  }

  private Workflows engine() {
    return workflows.orElseThrow(() -> new IllegalArgumentException(NoWorkflows.NO_WORKFLOWS));
  }

  private LiveTopic sources() {
    Sources all = sources.orElseThrow(() -> new IllegalArgumentException(NoSources.NO_SOURCES));
    return polled(
        "sources",
        SOURCES_TICKS,
        () -> all.list().map(found -> byField("name", SourceRows.of(found))));
  }

  private LiveTopic events() {
    return polled(
        "events",
        EVENTS_TICKS,
        () ->
            grid.events()
                .map(all -> byField("id", all.stream().<JsonNode>map(Json::tree).toList())));
  }

  private LiveTopic roles() {
    return polled(
        "roles",
        ROLES_TICKS,
        () ->
            grid.roles()
                .map(all -> byField("name", all.stream().<JsonNode>map(Json::tree).toList())));
  }

  private static LiveTopic types(Jobs scheduler) {
    return polled(
        "types",
        TYPES_TICKS,
        () ->
            scheduler
                .typeViews()
                .all()
                .map(types -> byField("name", TypeRows.of(types, scheduler.counts()))));
  }

  private LiveTopic hosts(Jobs scheduler) {
    return polled(
        "hosts", HOSTS_TICKS, () -> model.hosts(scheduler).map(hosts -> byField("name", hosts)));
  }

  private static LiveTopic jobs(Jobs scheduler, JsonNode query) {
    JobQuery asked =
        new JobQuery(
            text(query, "type"),
            state(query, JobState.class),
            text(query, "label"),
            null,
            text(query, "q"),
            false,
            limit(query, MOST_JOBS),
            text(query, "cursor"));
    return new LiveTopic(asked, () -> rows(scheduler, asked), 1, true);
  }

  private static Future<Map<String, ObjectNode>> rows(Jobs scheduler, JobQuery query) {
    return scheduler
        .list(query)
        .map(
            page ->
                listed(
                    page.items().stream().<JsonNode>map(Json::tree).toList(),
                    page.partial() ? Partial.why(page.missing()) : null));
  }

  /**
   * Returns rows by their ids, and one with the reason why others may be missing, if they may; the
   * topic is then read again.
   */
  static Map<String, ObjectNode> listed(List<JsonNode> items, @Nullable String missing) {
    Map<String, ObjectNode> rows = byField("id", items);
    if (missing != null) {
      rows.put(MISSING, JsonNodeFactory.instance.objectNode().put(MISSING, missing));
    }
    return rows;
  }

  private static LiveTopic job(Jobs scheduler, String id) {
    return new LiveTopic(
        "job/" + id,
        () -> scheduler.job(id).map(job -> byField("id", List.of(Json.tree(job)))),
        1,
        true);
  }

  /** Returns rows by the value of one of their fields. */
  static Map<String, ObjectNode> byField(String field, List<? extends JsonNode> rows) {
    Map<String, ObjectNode> byKey = new LinkedHashMap<>();
    rows.forEach(row -> byKey.put(row.path(field).asText(), (ObjectNode) row));
    return byKey;
  }

  /** Returns a text of a query; null if it is missing. */
  static @Nullable String text(JsonNode query, String field) {
    JsonNode value = query.path(field);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isTextual() || value.asText().length() > 200) {
      throw new IllegalArgumentException(
          "q." + field + " must be a string of up to 200 characters");
    }
    return value.asText();
  }

  /** Returns the limit of a query; the highest one if it is missing. */
  static int limit(JsonNode query, int most) {
    JsonNode value = query.path("limit");
    if (!value.isMissingNode() && (!value.isInt() || value.asInt() < 1 || value.asInt() > most)) {
      throw new IllegalArgumentException("q.limit must be a whole number of 1 to " + most);
    }
    return value.asInt(most);
  }

  /** Returns the state of a query; null if it is missing. */
  static <E extends Enum<E>> @Nullable E state(JsonNode query, Class<E> states) {
    String name = text(query, "state");
    if (name == null) {
      return null;
    }
    Function<E, String> word = Enum::name;
    return Stream.of(states.getEnumConstants())
        .filter(state -> word.apply(state).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "q.state must be one of " + List.of(states.getEnumConstants())));
  }
}
