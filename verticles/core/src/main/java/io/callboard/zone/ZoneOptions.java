package io.callboard.zone;

import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of a scheduling zone: its kind, threads and queue. The factories give the defaults, the
 * other methods change one option and return a new object; options that a zone of that kind does
 * not have are refused, as in configurations.
 *
 * @param size threads of a {@code fixed} zone, those that an {@code elastic} one keeps, the
 *     parallelism of a {@code fork-join} one; 0 where the zone has no threads of its own
 * @param max threads that an {@code elastic} zone has at most; else {@code size}
 * @param keepAlive how long a thread of an {@code elastic} zone over {@code size} is idle before it
 *     ends; else zero
 * @param queue slices that may wait for a thread before the zone counts as full; 0 where nothing
 *     waits for a thread of the zone ({@code event-loop}, {@code virtual})
 * @param blockedAfter how long a thread may be busy with one slice before it is reported as blocked
 * @param executor what runs the slices of an {@code executor} zone; else null
 */
public record ZoneOptions(
    Kind kind,
    int size,
    int max,
    Duration keepAlive,
    int queue,
    WhenFull whenFull,
    Duration blockedAfter,
    @Nullable Executor executor) {
  /** Threads that one zone may have. */
  public static final int MAX_SIZE = 1000;

  /** Default limit of the slices that wait. */
  public static final int DEFAULT_QUEUE = 10_000;

  /** Default time for which an idle thread beyond the core is kept. */
  public static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(60);

  /** Default time after which a busy thread of a zone's own pool counts as blocked. */
  public static final Duration THREAD_BLOCKED = Duration.ofSeconds(60);

  /** Default time after which a busy event loop counts as blocked. */
  public static final Duration LOOP_BLOCKED = Duration.ofSeconds(2);

  private static final Duration SHORTEST_BLOCKED = Duration.ofMillis(100);

  /** Kind of a scheduling zone: the threads on which it runs its actors. */
  public enum Kind {
    /** Zone on the Vert.x event loops: handlers must not block. */
    EVENT_LOOP("blockedAfter"),
    /** Zone on a pool of its own with a fixed number of threads: handlers may block. */
    FIXED("size", "queue", "whenFull", "blockedAfter"),
    /** Zone on a pool of its own that grows when all its threads are busy: handlers may block. */
    ELASTIC("core", "max", "keepAlive", "queue", "whenFull", "blockedAfter"),
    /**
     * Zone on a pool of its own whose threads take work from each other: for many short handlers.
     */
    FORK_JOIN("parallelism", "queue", "whenFull", "blockedAfter"),
    /**
     * Zone with one virtual thread per slice, on Java 21 or newer: any number of handlers may
     * block.
     */
    VIRTUAL("blockedAfter"),
    /** Zone on an executor given in code. */
    EXECUTOR("queue", "whenFull", "blockedAfter");

    private final List<String> keys;

    Kind(String... keys) {
      this.keys = Stream.concat(Stream.of("kind"), Stream.of(keys)).toList();
    }

    /** Returns the name of the kind in configurations. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the option keys of this kind in configurations. */
    public List<String> keys() {
      return keys;
    }

    /**
     * Checks that zones of this kind have an option, in configurations or in code.
     *
     * @throws IllegalArgumentException if they have not; the message lists the options
     */
    public void requireKey(String key) {
      if (!keys.contains(key)) {
        throw new IllegalArgumentException(
            "%s is not a key of the kind %s; there are %s"
                .formatted(key, label(), String.join(", ", keys)));
      }
    }

    /** Returns whether zones of this kind support a {@link ZonePriority}. */
    public boolean knowsPriorities() {
      return this == FIXED || this == ELASTIC;
    }

    /** Returns the kinds that a configuration can name. */
    public static List<String> labels() {
      return Stream.of(values()).filter(k -> k != EXECUTOR).map(Kind::label).toList();
    }

    /**
     * Returns the kind of that name.
     *
     * @throws IllegalArgumentException if there is no such kind in configurations
     */
    public static Kind of(String label) {
      for (Kind kind : values()) {
        if (kind != EXECUTOR && kind.label().equals(label)) {
          return kind;
        }
      }
      String more = label.equals(EXECUTOR.label()) ? "; an executor is given in code" : "";
      throw new IllegalArgumentException(
          "there is no kind \"%s\"; there are %s%s"
              .formatted(label, String.join(", ", labels()), more));
    }
  }

  /** Policy of a zone while more slices wait for a thread than {@link ZoneOptions#queue}. */
  public enum WhenFull {
    /**
     * Slices over the limit wait all the same: no more than one for each of the zone's actors.
     * Their mail waits in the mailboxes, whose own limits apply to senders. The default.
     */
    WAIT,
    /**
     * Slices over the limit wait, and messages to the zone's volatile actors are refused, with code
     * {@code MAILBOX_FULL}, until half of the queue is free; the actors' own timers are not
     * refused. Durable actors' mail is in the store and waits there.
     */
    REJECT;

    /** Returns the name of the policy in configurations. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the policy of that name.
     *
     * @throws IllegalArgumentException if there is no such wish
     */
    public static WhenFull of(String label) {
      List<String> labels = Stream.of(values()).map(WhenFull::label).toList();
      if (!labels.contains(label)) {
        throw new IllegalArgumentException(
            "whenFull cannot be \"%s\"%s".formatted(label, Suggestions.hint(label, labels)));
      }
      return values()[labels.indexOf(label)];
    }
  }

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if an option is outside its range, or zones of that kind do
   *     not have it; the message has the range or the options
   */
  public ZoneOptions {
    Objects.requireNonNull(kind, "kind is null: choose one");
    Objects.requireNonNull(whenFull, "whenFull is null: choose WAIT or REJECT");
    requireShort("keepAlive", keepAlive);
    requireShort("blockedAfter", blockedAfter);
    boolean threads = kind == Kind.FIXED || kind == Kind.ELASTIC || kind == Kind.FORK_JOIN;
    if (!threads && size != 0) {
      throw new IllegalArgumentException(
          "%s zone has no threads of its own: leave out its size, %d".formatted(a(kind), size));
    }
    if (threads) {
      between(kind, kind.keys().get(1), size, MAX_SIZE, "threads");
      if (max < size || max > MAX_SIZE) {
        throw new IllegalArgumentException(
            "%s zone with %d threads has a max of %d to %d, not %d"
                .formatted(a(kind), size, size, MAX_SIZE, max));
      }
    }
    if (kind.keys().contains("queue")) {
      between(kind, "queue", queue, Integer.MAX_VALUE, "slices");
    } else if (queue != 0) {
      kind.requireKey("queue");
    }
    if (whenFull != WhenFull.WAIT) {
      kind.requireKey("whenFull");
    }
    if (kind == Kind.ELASTIC && (keepAlive.isNegative() || keepAlive.isZero())) {
      throw new IllegalArgumentException("keepAlive must be positive, not " + keepAlive);
    } else if (!keepAlive.isZero()) {
      kind.requireKey("keepAlive");
    }
    if (blockedAfter.compareTo(SHORTEST_BLOCKED) < 0) {
      throw new IllegalArgumentException(
          "blockedAfter must be at least %s, not %s".formatted(SHORTEST_BLOCKED, blockedAfter));
    }
    if ((kind == Kind.EXECUTOR) != (executor != null)) {
      throw new IllegalArgumentException(
          "a zone of kind executor needs an executor, and no other kind takes one");
    }
  }

  private static void requireShort(String key, Duration value) {
    Objects.requireNonNull(value, () -> key + " is null: give a duration");
    if (value.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s must be at most %d days, not %s".formatted(key, Time.LONGEST.toDays(), value));
    }
  }

  private static void between(Kind kind, String key, int value, int most, String what) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s zone has a %s of 1 to %d %s, not %d".formatted(a(kind), key, most, what, value));
    }
  }

  private static String a(Kind kind) {
    return ("aeio".indexOf(kind.label().charAt(0)) < 0 ? "a " : "an ") + kind.label();
  }

  private static ZoneOptions of(Kind kind, int size, int max, @Nullable Executor executor) {
    return new ZoneOptions(
        kind,
        size,
        max,
        kind == Kind.ELASTIC ? DEFAULT_KEEP_ALIVE : Duration.ZERO,
        kind.keys().contains("queue") ? DEFAULT_QUEUE : 0,
        WhenFull.WAIT,
        kind == Kind.EVENT_LOOP ? LOOP_BLOCKED : THREAD_BLOCKED,
        executor);
  }

  /**
   * Returns the options of a zone on the Vert.x event loops; a loop counts as blocked after 2
   * seconds.
   */
  public static ZoneOptions eventLoop() {
    return of(Kind.EVENT_LOOP, 0, 0, null);
  }

  /**
   * Returns the options of a zone of a fixed number of threads, 1 to {@value #MAX_SIZE}; the queue
   * holds {@value #DEFAULT_QUEUE} slices, and a thread counts as blocked after 60 seconds.
   */
  public static ZoneOptions fixed(int threads) {
    return of(Kind.FIXED, threads, threads, null);
  }

  /**
   * Returns the options of a zone whose threads grow with its work; a thread beyond the core ends
   * after 60 idle seconds.
   *
   * @param core threads that are always there
   * @param max threads while there is work for them
   */
  public static ZoneOptions elastic(int core, int max) {
    return of(Kind.ELASTIC, core, max, null);
  }

  /**
   * Returns the options of a zone whose threads take work from each other.
   *
   * @param parallelism number of threads that run at once, 1 to {@value #MAX_SIZE}
   */
  public static ZoneOptions forkJoin(int parallelism) {
    return of(Kind.FORK_JOIN, parallelism, parallelism, null);
  }

  /** Returns a zone of virtual threads; needs Java 21 or newer, see {@link #check}. */
  public static ZoneOptions virtual() {
    return of(Kind.VIRTUAL, 0, 0, null);
  }

  /**
   * Returns the options of a zone on an executor given in code.
   *
   * @param executor runs what it is given on a thread of its own, never on the caller's; it is not
   *     closed with the node. A slice that it rejects waits and is offered again.
   */
  public static ZoneOptions of(Executor executor) {
    Objects.requireNonNull(
        executor, "executor is null: give an Executor that runs the slices of the zone");
    return of(Kind.EXECUTOR, 0, 0, executor);
  }

  /**
   * Returns these options with another time for which an idle thread of an {@code elastic} zone
   * over its core is kept; 60 seconds by default.
   *
   * @throws IllegalArgumentException if the zone is of another kind, or the time is not positive or
   *     over {@link Time#LONGEST}
   */
  public ZoneOptions keepAlive(Duration idle) {
    kind.requireKey("keepAlive");
    return new ZoneOptions(kind, size, max, idle, queue, whenFull, blockedAfter, executor);
  }

  /**
   * Returns these options with another limit of slices that wait for a thread; {@value
   * #DEFAULT_QUEUE} by default.
   *
   * @throws IllegalArgumentException if zones of this kind have no queue, or {@code slices} is
   *     below 1
   */
  public ZoneOptions queue(int slices) {
    kind.requireKey("queue");
    return new ZoneOptions(kind, size, max, keepAlive, slices, whenFull, blockedAfter, executor);
  }

  /**
   * Returns these options with another policy for a full queue; {@link WhenFull#WAIT} by default.
   *
   * @throws IllegalArgumentException if zones of this kind have no queue
   */
  public ZoneOptions whenFull(WhenFull wish) {
    kind.requireKey("whenFull");
    return new ZoneOptions(kind, size, max, keepAlive, queue, wish, blockedAfter, executor);
  }

  /**
   * Returns these options with another time after which a thread that is busy with one slice is
   * reported as blocked; by default 2 seconds on event loops, else 60 seconds.
   *
   * @throws IllegalArgumentException if it is below 100 milliseconds or over {@link Time#LONGEST}
   */
  public ZoneOptions blockedAfter(Duration limit) {
    return new ZoneOptions(kind, size, max, keepAlive, queue, whenFull, limit, executor);
  }

  /**
   * Checks the options that depend on the zone's name and on the running Java.
   *
   * @throws IllegalArgumentException if a zone of that name cannot have these options
   */
  public void check(String zone) {
    if (!zone.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,31}")) {
      throw new IllegalArgumentException(
          "\"%s\" is not a zone name: use up to 32 letters, digits and - _ ., the first a letter or digit"
              .formatted(zone));
    }
    if (kind == Kind.VIRTUAL && !VirtualThreads.available()) {
      throw new IllegalArgumentException(
          ("zone %s is of kind virtual, which needs Java 21 or newer; this is Java %s: run it on"
                  + " that, or make the zone elastic")
              .formatted(zone, Runtime.version()));
    }
    if (zone.equals(ZoneDefaults.SUPERVISION) && kind != Kind.FIXED && kind != Kind.ELASTIC) {
      throw new IllegalArgumentException(
          "zone %s is of kind %s, but the supervisors need threads of their own: make it fixed"
              .formatted(zone, kind.label()));
    }
    if (zone.equals(ZoneDefaults.SUPERVISION) && whenFull == WhenFull.REJECT) {
      throw new IllegalArgumentException(
          "zone %s has no actors whose mail could be refused: leave out whenFull".formatted(zone));
    }
  }
}
