package io.callboard.grid;

import java.time.Instant;

/**
 * Event of the cell, for operators who look back.
 *
 * @param id unique in the cell
 * @param at when it happened, by the clock of the node that saw it
 * @param kind one of the constants here; a later version may know more
 * @param subject name of the node, role or type, or path of the failure zone
 * @param detail what happened, in words
 */
public record GridEvent(String id, Instant at, String kind, String subject, String detail) {
  /** A node joined the cell. */
  public static final String NODE_JOINED = "NODE_JOINED";

  /** A node left the cell by itself. */
  public static final String NODE_LEFT = "NODE_LEFT";

  /** A node went without leaving the cell. */
  public static final String NODE_LOST = "NODE_LOST";

  /** A role got another holder. */
  public static final String ROLE_MOVED = "ROLE_MOVED";

  /** A failure zone failed and rests. */
  public static final String ZONE_FAILED = "ZONE_FAILED";

  /** A type of jobs was paused. */
  public static final String TYPE_PAUSED = "TYPE_PAUSED";

  /** A type of jobs was resumed. */
  public static final String TYPE_RESUMED = "TYPE_RESUMED";

  /** The brake of a workflow definition is on. */
  public static final String BRAKE_ON = "BRAKE_ON";

  /** The brake of a workflow definition is off again. */
  public static final String BRAKE_OFF = "BRAKE_OFF";

  /** Events that a node noted were dropped before the grid monitor had them. */
  public static final String NOTES_LOST = "NOTES_LOST";

  private static final int MOST_TEXT = 160;

  /** Creates an event; its texts are cut. */
  public GridEvent {
    subject = cut(subject);
    detail = cut(detail);
  }

  private static String cut(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ");
    return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT - 1) + "…";
  }
}
