package io.callboard.pollers;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.part.NodePart;
import io.callboard.pollers.internal.actor.SourceActor;
import io.callboard.pollers.internal.actor.SourceClient;
import io.callboard.pollers.internal.actor.SourceMemoryActor;
import io.callboard.pollers.internal.actor.SourceParts;
import io.callboard.pollers.internal.actor.SourcePaths;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.pollers.internal.target.MessageActor;
import io.callboard.pollers.internal.target.MessageStarter;
import io.callboard.pollers.model.AcceptedMessage;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.PollersException.Code;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceRates;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceKind;
import io.callboard.workflows.Workflows;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sources of the cell, as their users see them; one object on each node that takes part. Each
 * polled source is a role, {@code source-<name>}: one node polls it at a time, the others stand by.
 *
 * <p>Methods return at once and may be called from any thread; futures fail with {@link
 * PollersException}, of code {@code NOT_FOUND} if there is no source of the given name.
 */
public final class Sources {
  /** Time in which a poller gets to know of a change. */
  private static final Duration CHANGE = Duration.ofSeconds(5);

  private static final Duration MOMENT = Duration.ofMillis(100);

  private final Callboard callboard;
  private final Workflows workflows;
  private final Jobs jobs;
  private final SourceClient client;
  private final Map<String, SourceConfig> configs = new TreeMap<>();
  private final Map<String, RequestSource> requests = new TreeMap<>();

  private Sources(Callboard callboard, Workflows workflows, Jobs jobs, SourcesOptions options) {
    this.callboard = callboard;
    this.workflows = workflows;
    this.jobs = jobs;
    this.client = new SourceClient(callboard);
    options.sources().forEach(each -> configs.put(each.name(), each));
  }

  /**
   * Returns sources as a part of a node, which is a candidate for the role of each. It needs the
   * job scheduler, the workflow engine and the grid.
   *
   * @param options the sources, the same on every node
   */
  public static NodePart<Sources> part(SourcesOptions options) {
    return new SourcesPart(options);
  }

  /**
   * Returns the sources of a file as a part of a node, see {@link #part} and {@link
   * SourcesOptions#read}, which reads it now.
   *
   * @throws IllegalArgumentException if it cannot be read, with one line that names the file and
   *     all defects
   */
  public static NodePart<Sources> from(Path file) {
    return part(SourcesOptions.read(file, List.of()));
  }

  /** Fails with {@code INVALID} if the client of a source is not on the class path. */
  static Future<Sources> start(
      Callboard callboard, Grid grid, Jobs jobs, Workflows workflows, SourcesOptions options) {
    Sources sources = new Sources(callboard, workflows, jobs, options);
    Map<String, SourceParts> polled = new TreeMap<>();
    try {
      SourceKinds kinds = new SourceKinds(options.kinds());
      for (SourceConfig each : sources.configs.values()) {
        if (each.isPolled()) {
          SourceKind kind = kinds.of(callboard.vertx(), each, sources.client.memory(each.name()));
          polled.put(each.name(), sources.parts(each, kind));
        } else {
          sources.requests.put(
              each.name(), new RequestSource(each, sources.starter(each, false), callboard.time()));
        }
      }
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    return sources.open(grid, polled).map(sources);
  }

  private SourceParts parts(SourceConfig config, SourceKind kind) {
    return new SourceParts(config, kind, starter(config, kind.bodiesMayChange()), client);
  }

  private MessageStarter starter(SourceConfig config, boolean bodiesMayChange) {
    return new MessageStarter(
        callboard, workflows, jobs, config, bodiesMayChange, SourcePaths.actor(config.name()));
  }

  private Future<Void> open(Grid grid, Map<String, SourceParts> polled) {
    Future<Void> opened =
        callboard
            .host(MessageActor.PREFIX, MessageActor::new, own())
            .compose(v -> callboard.host(SourceMemoryActor.PREFIX, SourceMemoryActor::new, own()));
    for (Map.Entry<String, SourceParts> each : polled.entrySet()) {
      SourceParts parts = each.getValue();
      opened =
          opened.compose(
              v ->
                  grid.role(SourcePaths.role(each.getKey()), () -> new SourceActor(parts), own())
                      .mapEmpty());
    }
    return opened;
  }

  /** Returns the options of these actors, whose threads users' actors cannot occupy. */
  private static ActorOptions own() {
    return new ActorOptions().zone(ZoneDefaults.TOOLKIT).onBus(false);
  }

  /** Returns the configurations, by name. */
  public List<SourceConfig> configs() {
    return List.copyOf(configs.values());
  }

  /** Returns all sources, by name; one for which no node answers is {@code ABSENT}. */
  public Future<List<SourceView>> list() {
    List<Future<SourceView>> views = new ArrayList<>();
    configs.values().forEach(each -> views.add(look(each)));
    return Future.all(views).map(all -> all.<SourceView>list());
  }

  /**
   * Returns the sources that this node polls or that take requests here, and those for which no
   * node answers.
   */
  Future<List<SourceView>> here() {
    return list().map(all -> all.stream().filter(this::isHere).toList());
  }

  private boolean isHere(SourceView source) {
    return callboard.node().equals(source.node())
        || source.status() == SourceStatus.ACCEPTING
        || source.status() == SourceStatus.ABSENT;
  }

  /** Returns a source. */
  public Future<SourceView> source(String name) {
    return config(name).compose(this::look);
  }

  private Future<SourceConfig> config(String name) {
    SourceConfig found = configs.get(name);
    return found == null
        ? refused(
            Code.NOT_FOUND,
            "there is no source \"%.100s\"; there are %s".formatted(name, configs.keySet()))
        : Future.succeededFuture(found);
  }

  private static <T> Future<T> refused(Code code, String message) {
    return Future.failedFuture(new PollersException(code, message));
  }

  private Future<SourceConfig> polled(String name) {
    return config(name)
        .compose(
            found ->
                found.isPolled()
                    ? Future.succeededFuture(found)
                    : refused(
                        Code.ILLEGAL_STATE,
                        "source %s is of kind %s: its messages come by requests"
                            .formatted(name, found.kind())));
  }

  private Future<SourceView> look(SourceConfig config) {
    RequestSource request = requests.get(config.name());
    return request == null
        ? client
            .view(config.name())
            .otherwise(cause -> absent(config, String.valueOf(cause.getMessage())))
        : Future.succeededFuture(request.view());
  }

  private static SourceView absent(SourceConfig config, String why) {
    return new SourceView(
        config.name(),
        config.kind(),
        config.ack(),
        config.target().words(),
        SourceStatus.ABSENT,
        why,
        null,
        null,
        null,
        null,
        null,
        config.credit(),
        0,
        SourceTotals.NONE,
        SourceRates.NONE,
        null,
        null,
        null,
        null);
  }

  /**
   * Takes no more messages from a source, durably; what was taken is done.
   *
   * @param by who wants that, for people
   */
  public Future<SourceView> pause(String name, String by) {
    return change(name, SourceMode.PAUSED, by);
  }

  /** Takes messages from a source again. */
  public Future<SourceView> resume(String name, String by) {
    return change(name, SourceMode.RUN, by);
  }

  /**
   * Takes no more messages from a source, durably, and gives back those that were not begun; it is
   * {@code DRAINED} when the others are done.
   */
  public Future<SourceView> drain(String name, String by) {
    return change(name, SourceMode.DRAINING, by);
  }

  private Future<SourceView> change(String name, SourceMode mode, String by) {
    return polled(name)
        .compose(
            config ->
                client
                    .change(name, mode, by)
                    .compose(changed -> known(config, changed, callboard.time().nanoTime())));
  }

  /** Completes when the poller knows this change or a later one, or has not answered in time. */
  private Future<SourceView> known(SourceConfig config, SourceState changed, long sinceNanos) {
    return look(config)
        .compose(
            view ->
                knows(view, changed) || isOver(sinceNanos)
                    ? Future.succeededFuture(view)
                    : later().compose(v -> known(config, changed, sinceNanos)));
  }

  /** Times of changes grow, so several at once do not wait for each other's mode. */
  private static boolean knows(SourceView view, SourceState changed) {
    Instant known = view.modeAt();
    Instant at = changed.at();
    return view.mode() != null && (at == null || (known != null && !known.isBefore(at)));
  }

  private boolean isOver(long sinceNanos) {
    return callboard.time().nanoTime() - sinceNanos > CHANGE.toNanos();
  }

  private Future<Void> later() {
    return callboard.time().pause(callboard.vertx().getOrCreateContext(), MOMENT);
  }

  /**
   * Accepts a message of a source of kind {@code http}: it is durable when the future succeeds. Any
   * node does. Fails with {@code INVALID} if nothing can be made of the message, or if its id is
   * that of one with another body, {@code ILLEGAL_STATE} if its workflow has no definition yet,
   * {@code OVERLOADED} or {@code UNAVAILABLE} if it must be sent again.
   *
   * @param id id of the message: a repeated one is the same message, until 24 hours after the end
   *     of its instance or job, or after it was told to an actor
   */
  public Future<AcceptedMessage> accept(
      String name, String id, Buffer body, Map<String, String> headers) {
    return config(name)
        .compose(
            found -> {
              RequestSource request = requests.get(name);
              return request == null
                  ? refused(
                      Code.ILLEGAL_STATE,
                      "source %s is of kind %s, and takes its messages itself"
                          .formatted(name, found.kind()))
                  : request.accept(id, body, headers);
            });
  }

  /**
   * Sends a message through a source; durable there when the future succeeds, and perhaps doubled
   * when it fails.
   *
   * @param target queue of the source
   */
  public Future<Void> emit(String name, String target, EmittedMessage message) {
    return polled(name).compose(found -> client.send(name, target, message));
  }

  /**
   * Ends this node's part: gives back messages that have not ended, and leaves the sources to other
   * nodes.
   */
  public Future<Void> close() {
    List<Future<Void>> stopped = new ArrayList<>();
    configs.values().stream()
        .filter(SourceConfig::isPolled)
        .forEach(each -> stopped.add(callboard.stop(SourcePaths.actor(each.name()))));
    return Future.join(stopped).mapEmpty();
  }
}
