package io.callboard.part;

import io.callboard.Callboard;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
  private final Set<String> forsaken = new HashSet<>();
  private final Map<String, Supplier<Future<?>>> closes = new LinkedHashMap<>();

  /**
   * Creates a node without parts.
   *
   * @param directory data directory of the node; null for none
   * @param homeId identity of the directory, the same over restarts; null without one
   * @param storeLost whether the store is gone
   */
  public StartedParts(
      Callboard callboard,
      String cell,
      @Nullable Path directory,
      @Nullable String homeId,
      BooleanSupplier storeLost) {
    this.callboard = callboard;
    this.cell = cell;
    this.directory = directory;
    this.homeId = homeId;
    this.storeLost = storeLost;
  }

  /**
   * Creates a node without parts, of a Callboard that an application made itself.
   *
   * @param directory data directory of the node, which the application has locked
   * @param homeId identity of the directory, the same over restarts
   */
  public static StartedParts of(Callboard callboard, Path directory, String homeId) {
    return new StartedParts(callboard, "main", directory, homeId, () -> false);
  }

  /** Adds what the node has without a part, such as its grid. */
  public synchronized <T> void has(Class<T> type, T object) {
    found.put(type, Objects.requireNonNull(object));
  }

  /**
   * Checks that a part can start now.
   *
   * @throws IllegalArgumentException if a part that it needs has not started, or there is one of
   *     its type or name already
   */
  public synchronized void fits(NodePart<?> part) {
    List<NodePart<?>> unused = PartOrder.of(List.of(part), found.keySet());
    if (settings.containsKey(part.name())) {
      throw new IllegalArgumentException(
          "there is a part %s already: give this one another name".formatted(part.name()));
    }
  }

  /** Starts a part that is next in the {@link PartOrder}. */
  public <T> Future<T> start(NodePart<T> part) {
    try {
      Map<String, String> its = part.settings();
      return part.start(this)
          .compose(
              started ->
                  has(part, its, started) ? Future.succeededFuture(started) : late(part, started));
    } catch (RuntimeException | LinkageError e) { // of a class that is missing
      return Future.failedFuture(e);
    }
  }

  /** Returns false if the part was closed before it had started. */
  private synchronized <T> boolean has(NodePart<T> part, Map<String, String> its, T started) {
    if (forsaken.contains(part.name())) {
      return false;
    }
    found.put(part.type(), started);
    settings.put(part.name(), its);
    closes.put(part.name(), () -> part.close(started, this));
    return true;
  }

  private <T> Future<T> late(NodePart<T> part, T started) {
    return part.close(started, this)
        .transform(
            closed ->
                Future.failedFuture(
                    new IllegalStateException(part.name() + " was closed while it started")));
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

  /** Closes a part, at once or when it has started; nothing if it has closed. */
  public Future<?> close(NodePart<?> part) {
    return close(part.name());
  }

  private Future<?> close(String part) {
    Supplier<Future<?>> close;
    synchronized (this) {
      close = closes.remove(part);
      forsaken.add(part);
    }
    return close == null ? Future.succeededFuture() : close.get();
  }

  /** Closes the parts in the reverse order of their start; fails as the first that fails does. */
  public Future<Void> close() {
    List<String> left;
    synchronized (this) {
      left = new ArrayList<>(closes.keySet());
    }
    Collections.reverse(left);
    Future<Void> last = Future.succeededFuture();
    for (String part : left) {
      last = last.eventually(() -> close(part));
    }
    return last;
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
  public synchronized Map<String, Map<String, String>> settings() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
