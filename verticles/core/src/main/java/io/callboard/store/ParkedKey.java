package io.callboard.store;

import io.callboard.codecs.ActorPath;

/**
 * Key of a parked message.
 *
 * @param actor the actor that could not handle it
 * @param id unique for the actor, never used again
 */
public record ParkedKey(ActorPath actor, String id) {
  @Override
  public String toString() {
    return "parked message %s of %s".formatted(id, actor);
  }
}
