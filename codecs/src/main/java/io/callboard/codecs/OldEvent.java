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

  /** Whether an event of that logical name is the toolkit's own, and no actor's. */
  public static boolean isOwn(String name) {
    return name.startsWith(OWN);
  }

  /** Whether it is of that type, whatever its version. */
  public boolean is(String name) {
    return type.name().equals(name);
  }

  /** Another event in its place. */
  public OldEvent as(String name, int version, ObjectNode other) {
    return new OldEvent(number, new MessageType(name, version), other);
  }
}
