package io.callboard.codecs;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An event as it was written once, for an {@link EventUpcaster}.
 *
 * @param number of the event as it was written; what is made of it keeps it
 * @param type its logical name and version at that time
 * @param body its JSON, which may be changed
 */
public record OldEvent(long number, MessageType type, ObjectNode body) {
  private static final String OWN = "callboard..";

  /**
   * Returns whether {@code name} is the logical name of an event of the toolkit itself, not of an
   * actor.
   */
  public static boolean isOwn(String name) {
    return name.startsWith(OWN);
  }

  /** Returns whether the event is of the type with that logical name, whatever its version. */
  public boolean is(String name) {
    return type.name().equals(name);
  }

  /** Returns an event of another type, version and body in place of this one, with its number. */
  public OldEvent as(String name, int version, ObjectNode other) {
    return new OldEvent(number, new MessageType(name, version), other);
  }
}
