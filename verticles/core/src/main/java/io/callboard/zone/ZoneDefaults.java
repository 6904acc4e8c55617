package io.callboard.zone;

import io.callboard.zone.ZoneOptions.WhenFull;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names and sizes of the scheduling zones that every node has. */
public final class ZoneDefaults {
  /** The zone of actors that name none: one thread per processor, at least two. */
  public static final String DEFAULT = "default";

  /** The event loops of the Vert.x: for actors that serve connections of their own. */
  public static final String EVENT_LOOP = "event-loop";

  /** Zone of handlers that block: {@value #BLOCKING_SIZE} threads unless configured. */
  public static final String BLOCKING = "blocking";

  /**
   * The zone of the toolkit's own actors, those of the grid and of jobs: {@value #TOOLKIT_SIZE}
   * threads unless configured. So the node keeps working whatever users' actors do to their zones.
   */
  public static final String TOOLKIT = "toolkit";

  /**
   * The zone of the steps of workflows, whose handlers may block: virtual threads where Java has
   * them, else up to {@value #STEPS_SIZE} threads. Declared here, as {@link #TOOLKIT} is: zones are
   * made with the node, before any module starts on it.
   */
  public static final String STEPS = "steps";

  /**
   * The zone of the handlers of jobs, which may block: virtual threads where Java has them, else up
   * to {@value #JOBS_SIZE} threads. Handlers may take hours, so a thread of it that is busy is
   * reported after a day only; the timeouts of a job end it before.
   */
  public static final String JOBS = "jobs";

  /**
   * The zone of the builders of workflows, whose code may block: up to {@value #BUILDERS_SIZE}
   * threads unless configured, with a short queue. It refuses what is over that, so that a message
   * is built later.
   */
  public static final String BUILDERS = "builders";

  /** The zone of the supervisors, which no actor shares. */
  public static final String SUPERVISION = "supervision";

  private static final int BLOCKING_SIZE = 8;
  private static final int TOOLKIT_SIZE = 2;
  private static final int STEPS_SIZE = 64;
  private static final int JOBS_SIZE = 64;
  private static final int BUILDERS_SIZE = 4;
  private static final int BUILDERS_QUEUE = 1_000;

  /** Time that a builder has for its answer. */
  private static final Duration BUILDERS_BLOCKED = Duration.ofSeconds(30);

  private static final int DEFAULT_QUEUE = 1_000_000;

  private ZoneDefaults() {}

  /** Returns the zones of a node for which nothing is configured, by name. */
  public static Map<String, ZoneOptions> zones() {
    Map<String, ZoneOptions> defaults = new LinkedHashMap<>();
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    defaults.put(
        DEFAULT,
        ZoneOptions.forkJoin(Math.min(threads, ZoneOptions.MAX_SIZE))
            .queue(DEFAULT_QUEUE)
            .blockedAfter(ZoneOptions.LOOP_BLOCKED));
    defaults.put(EVENT_LOOP, ZoneOptions.eventLoop());
    defaults.put(BLOCKING, ZoneOptions.fixed(BLOCKING_SIZE));
    defaults.put(
        TOOLKIT, ZoneOptions.forkJoin(TOOLKIT_SIZE).blockedAfter(ZoneOptions.LOOP_BLOCKED));
    defaults.put(
        STEPS,
        VirtualThreads.available() ? ZoneOptions.virtual() : ZoneOptions.elastic(1, STEPS_SIZE));
    defaults.put(
        JOBS,
        (VirtualThreads.available() ? ZoneOptions.virtual() : ZoneOptions.elastic(1, JOBS_SIZE))
            .blockedAfter(Duration.ofDays(1)));
    defaults.put(
        BUILDERS,
        ZoneOptions.elastic(1, BUILDERS_SIZE)
            .queue(BUILDERS_QUEUE)
            .whenFull(WhenFull.REJECT)
            .blockedAfter(BUILDERS_BLOCKED));
    defaults.put(SUPERVISION, ZoneOptions.fixed(1));
    return defaults;
  }
}
