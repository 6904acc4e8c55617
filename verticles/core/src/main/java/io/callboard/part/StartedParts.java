package io.callboard.part;

import io.callboard.Callboard;
import io.callboard.metric.Metric;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a Callboard that have started. {@code CallboardNode} keeps one; with a Callboard that an
 * application made itself, {@link #startAll} and {@link #close} do the same. Thread-safe.
 */
public final class StartedParts implements RunningNode {
  private final Callboard callboard;
  private final String cell;
  private final @Nullable Path directory;
  private final @Nullable String homeId;
  private final BooleanSupplier storeLost;
  private final Map<Class<?>, Object> found = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> settings = new LinkedHashMap<>();
  private final Map<String, OpenPart<?>> open = new HashMap<>();
  private final BiConsumer<String, Supplier<Future<?>>> closes;
  private final Deque<Supplier<Future<?>>> own = new ArrayDeque<>();

  /**
   * Creates a node without parts.
   *
   * @param directory data directory of the node; null for none
   * @param homeId identity of the directory, the same over restarts; null without one
   * @param storeLost whether the store is gone
   * @param closes takes the name of each part and what closes it, at once or when it has started,
   *     in the order of their start; refuses it by an exception
   */
  public StartedParts(
      Callboard callboard,
      String cell,
      @Nullable Path directory,
      @Nullable String homeId,
      BooleanSupplier storeLost,
      BiConsumer<String, Supplier<Future<?>>> closes) {
    this.callboard = callboard;
    this.cell = cell;
    this.directory = directory;
    this.homeId = homeId;
    this.storeLost = storeLost;
    this.closes = closes;
  }

  private StartedParts(
      Callboard callboard, String cell, @Nullable Path directory, @Nullable String homeId) {
    this.callboard = callboard;
    this.cell = cell;
    this.directory = directory;
    this.homeId = homeId;
    this.storeLost = () -> false;
    this.closes = this::push;
  }

  private synchronized void push(String part, Supplier<Future<?>> close) {
    own.push(close);
  }

  /**
   * Creates a node without parts, of a Callboard that an application made itself, which {@link
   * #close} closes.
   *
   * @param directory data directory of the node, which the application has locked
   * @param homeId identity of the directory, the same over restarts
   */
  public static StartedParts of(Callboard callboard, Path directory, String homeId) {
    return new StartedParts(callboard, "main", directory, homeId);
  }

  /**
   * Creates a node without parts and without a directory, of a Callboard that an application made
   * itself, which {@link #close} closes.
   */
  public static StartedParts of(Callboard callboard, String cell) {
    return new StartedParts(callboard, cell, null, null);
  }

  /** Adds what the node has without a part, such as its grid. */
  public synchronized <T> void has(Class<T> type, T object) {
    found.put(type, Objects.requireNonNull(object));
  }

  /**
   * Checks that a part can start now.
   *
   * @throws IllegalArgumentException if a part that it needs has not started, there is one of its
   *     type or name already, one that {@linkplain PartNeed#optional would use} it has started
   *     without it, or it prepares the node before its actors start
   */
  public synchronized void fits(NodePart<?> part) {
    requireUnprepared(part);
    List<NodePart<?>> unused = PartOrder.of(List.of(part), found.keySet());
    if (settings.containsKey(part.name())) {
      throw new IllegalArgumentException(
          "there is a part %s already: give this one another name".formatted(part.name()));
    }
    for (OpenPart<?> other : open.values()) {
      if (other.part.needs().stream().anyMatch(need -> need.type() == part.type())) {
        throw new IllegalArgumentException(
            "%1$s: %2$s would use it, and has started without it: start %2$s after %1$s, or give both to the node with NodeOptions.with"
                .formatted(part.name(), other.part.name()));
      }
    }
  }

  /** Refuses a part that would miss what it prepares: the actors of the node run already. */
  private static void requireUnprepared(NodePart<?> part) {
    Class<?> prepares;
    try {
      prepares = part.getClass().getMethod("prepare", NodePreparation.class).getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // each part has it
    }
    if (prepares != NodePart.class) {
      throw new IllegalArgumentException(
          "%s: it prepares the node before its actors start, and they run already: give it to the node with NodeOptions.with"
              .formatted(part.name()));
    }
  }

  /**
   * Starts a part that is next in the {@link PartOrder}, and whose options its {@link
   * NodePart#check} has found good; {@link #startAll} does all of that.
   */
  public <T> Future<T> start(NodePart<T> part) {
    try {
      OpenPart<T> its = new OpenPart<>(part, part.settings());
      closes.accept(part.name(), its::close);
      return part.start(this).compose(its::started);
    } catch (RuntimeException | LinkageError e) { // of a class that is missing
      return Future.failedFuture(e);
    }
  }

  private synchronized <T> void has(OpenPart<T> its, T started) {
    found.put(its.part.type(), started);
    settings.put(its.part.name(), its.settings);
    open.put(its.part.name(), its);
  }

  /** Part that starts, or has started. */
  private final class OpenPart<T> {
    private final NodePart<T> part;
    private final Map<String, String> settings;
    private @Nullable T started;
    private boolean isClosed;

    OpenPart(NodePart<T> part, Map<String, String> settings) {
      this.part = part;
      this.settings = settings;
    }

    Future<List<PartTrouble>> troubles() {
      T its = started();
      return its == null ? Future.succeededFuture(List.of()) : part.troubles(its);
    }

    Future<List<Metric>> metrics() {
      T its = started();
      return its == null ? Future.succeededFuture(List.of()) : part.metrics(its);
    }

    private synchronized @Nullable T started() {
      return started;
    }

    /** Notes what was started, or closes it if the part was closed before. */
    Future<T> started(T made) {
      if (!part.type().isInstance(made)) {
        return Future.failedFuture(
            new IllegalStateException(
                "%s gave %s, not a %s: its start must complete with what it has started"
                    .formatted(
                        part.name(),
                        made == null ? "nothing" : "a " + made.getClass().getName(),
                        part.type().getSimpleName())));
      }
      synchronized (this) {
        if (!isClosed) {
          started = made;
          has(this, made);
          return Future.succeededFuture(made);
        }
      }
      return part.close(made, StartedParts.this)
          .transform(
              closed ->
                  Future.failedFuture(
                      new IllegalStateException(part.name() + " was closed while it started")));
    }

    /** Closes the part, at once or when it has started; nothing if it has closed. */
    Future<?> close() {
      T closing;
      synchronized (this) {
        isClosed = true;
        closing = started;
        started = null;
      }
      return closing == null ? Future.succeededFuture() : part.close(closing, StartedParts.this);
    }
  }

  /**
   * Starts parts in their order, one after the other; if one fails, those before it are closed.
   *
   * @return fails as the part does, and with {@link IllegalArgumentException} as {@link
   *     PartOrder#of} does
   */
  public Future<Void> startAll(List<NodePart<?>> parts) {
    List<NodePart<?>> order;
    try {
      synchronized (this) {
        order = PartOrder.of(parts, found.keySet());
      }
      for (NodePart<?> part : order) {
        requireUnprepared(part);
        part.check();
      }
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
    Future<Void> last = Future.succeededFuture();
    for (NodePart<?> part : order) {
      last = last.compose(before -> start(part).mapEmpty());
    }
    return last.recover(cause -> close().transform(closed -> Future.failedFuture(cause)));
  }

  /**
   * Closes the parts of a node that was made with {@link #of}, in the reverse order of their start;
   * fails as the first that fails does.
   */
  public Future<Void> close() {
    Future<Void> last = Future.succeededFuture();
    for (Supplier<Future<?>> close = next(); close != null; close = next()) {
      Supplier<Future<?>> its = close;
      last = last.eventually(its::get);
    }
    return last;
  }

  private synchronized @Nullable Supplier<Future<?>> next() {
    return own.poll();
  }

  @Override
  public Callboard callboard() {
    return callboard;
  }

  @Override
  public String cell() {
    return cell;
  }

  @Override
  public Optional<Path> directory() {
    return Optional.ofNullable(directory);
  }

  @Override
  public Optional<String> homeId() {
    return Optional.ofNullable(homeId);
  }

  @Override
  public boolean isStoreLost() {
    return storeLost.getAsBoolean();
  }

  @Override
  public synchronized <T> Optional<T> find(Class<T> type) {
    return Optional.ofNullable(type.cast(found.get(type)));
  }

  @Override
  public Future<List<PartTrouble>> troubles(String part) {
    OpenPart<?> its = running(part);
    return its == null ? Future.succeededFuture(List.of()) : its.troubles();
  }

  @Override
  public Future<List<Metric>> metrics(String part) {
    OpenPart<?> its = running(part);
    return its == null ? Future.succeededFuture(List.of()) : its.metrics();
  }

  private synchronized @Nullable OpenPart<?> running(String part) {
    return open.get(part);
  }

  @Override
  public synchronized Map<String, Map<String, String>> settings() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
