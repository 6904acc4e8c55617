package io.callboard.store;

import io.callboard.codecs.ActorPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A page of the durable actors within a prefix.
 *
 * @param readable in the order of their paths; there may be none though more follow
 * @param unreadable those whose record is damaged, each with its location and the defect
 * @param next after which path the next page begins, where pages are asked for one by one; empty if
 *     this is the last
 */
public record StoredActors(
    List<StoredActor> readable, Map<ActorPath, String> unreadable, Optional<ActorPath> next) {
  /** Creates a page in a sequence of pages, without a path after which the next begins. */
  public StoredActors(List<StoredActor> readable, Map<ActorPath, String> unreadable) {
    this(readable, unreadable, Optional.empty());
  }

  /**
   * Builder of one page for a store: up to a number of actors, or {@link Limits#PAGE_BYTES} of
   * records.
   */
  public static final class Builder {
    private final int limit;
    private final List<StoredActor> readable = new ArrayList<>();
    private final Map<ActorPath, String> unreadable = new TreeMap<>();
    private long bytes;

    /**
     * Creates a page that is being filled.
     *
     * @throws IllegalArgumentException if no page can have that limit
     */
    public Builder(int limit) {
      if (limit < 1 || limit > Limits.PAGE_LIMIT) {
        throw new IllegalArgumentException(
            "a page holds 1 to %d actors, not %d".formatted(Limits.PAGE_LIMIT, limit));
      }
      this.limit = limit;
    }

    /** Returns the number of actors for which there is still room; 0 if the page is full. */
    public int room() {
      return bytes < Limits.PAGE_BYTES ? limit - readable.size() - unreadable.size() : 0;
    }

    /**
     * Adds those of {@code paths} that were found, as long as there is room.
     *
     * @param paths in their order
     * @return how many of {@code paths} were looked at; the page is full if not all
     */
    public int add(List<ActorPath> paths, StoredActors found) {
      Map<ActorPath, StoredActor> actors =
          found.readable().stream()
              .collect(Collectors.toMap(StoredActor::path, Function.identity()));
      int taken = 0;
      while (taken < paths.size() && room() > 0) {
        ActorPath path = paths.get(taken);
        StoredActor actor = actors.get(path);
        String damage = found.unreadable().get(path);
        if (actor != null) {
          readable.add(actor);
          bytes += actor.record().encode().length;
        } else if (damage != null) {
          unreadable.put(path, damage);
        }
        taken++;
      }
      return taken;
    }

    /**
     * Returns the page.
     *
     * @param next see {@link StoredActors#next}
     */
    public StoredActors build(Optional<ActorPath> next) {
      return new StoredActors(List.copyOf(readable), unreadable, next);
    }
  }
}
