package io.callboard.zone;

import java.util.Locale;

/**
 * What a scheduling zone is made of.
 *
 * @param size threads; 0 for an event-loop zone, which uses those of the Vert.x
 */
public record ZoneOptions(Kind kind, int size) {
  /** Threads that one zone may have. */
  public static final int MAX_SIZE = 1000;

  /** How a zone runs its actors. */
  public enum Kind {
    /** On the Vert.x event loops: handlers must not block. */
    EVENT_LOOP,
    /** On a pool of its own with a fixed number of threads: handlers may block. */
    FIXED;

    /** As it is written in configurations. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public ZoneOptions {
    if (kind == Kind.EVENT_LOOP && size != 0) {
      throw new IllegalArgumentException(
          "an event-loop zone uses the threads of the Vert.x: leave out its size, " + size);
    }
    if (kind == Kind.FIXED && (size < 1 || size > MAX_SIZE)) {
      throw new IllegalArgumentException(
          "a fixed zone has a size of 1 to %d threads, not %d".formatted(MAX_SIZE, size));
    }
  }

  public static ZoneOptions eventLoop() {
    return new ZoneOptions(Kind.EVENT_LOOP, 0);
  }

  public static ZoneOptions fixed(int threads) {
    return new ZoneOptions(Kind.FIXED, threads);
  }
}
