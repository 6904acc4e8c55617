package io.callboard.zone;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names and sizes of the scheduling zones that every node has. */
public final class ZoneDefaults {
  /** Where actors run that name no zone: a thread for each processor, two at least. */
  public static final String DEFAULT = "default";

  /** The event loops of the Vert.x: for what serves connections of its own. */
  public static final String EVENT_LOOP = "event-loop";

  /** For handlers that block: {@value #BLOCKING_SIZE} threads unless configured. */
  public static final String BLOCKING = "blocking";

  /**
   * Where the toolkit's own actors run, those of the grid and of jobs: {@value #TOOLKIT_SIZE}
   * threads unless configured. So whatever users' actors do to their zones, the node is looked
   * after.
   */
  public static final String TOOLKIT = "toolkit";

  /** Where the supervisors run, alone. */
  public static final String SUPERVISION = "supervision";

  private static final int BLOCKING_SIZE = 8;
  private static final int TOOLKIT_SIZE = 2;
  private static final int DEFAULT_QUEUE = 1_000_000;

  private ZoneDefaults() {}

  /** The zones of a node for which nothing is configured, by name. */
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
    defaults.put(SUPERVISION, ZoneOptions.fixed(1));
    return defaults;
  }
}
