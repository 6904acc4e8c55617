package io.callboard.jobs.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Host of runs, with its slots.
 *
 * @param name name of its node
 * @param boot boot id of its node
 * @param slots processes that it takes at once
 * @param used slots taken by granted runs of processes
 * @param live whether its node is a member of the cell
 * @param handlers handlers that it offers, each with its slots; null for none, and from an older
 *     node
 */
public record JobHost(
    String name,
    String boot,
    int slots,
    int used,
    boolean live,
    @Nullable Map<String, HandlerSlots> handlers) {
  /**
   * Slots of a handler on a host.
   *
   * @param slots runs that it takes at once
   * @param used slots taken by granted runs
   */
  public record HandlerSlots(int slots, int used) {}

  /** Returns whether the host offers a handler. */
  public boolean offers(String handler) {
    return handlers != null && handlers.containsKey(handler);
  }

  /** Creates a host that offers no handlers. */
  public JobHost(String name, String boot, int slots, int used, boolean live) {
    this(name, boot, slots, used, live, null);
  }
}
