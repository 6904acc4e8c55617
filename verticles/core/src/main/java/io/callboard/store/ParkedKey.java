package io.callboard.store;

import io.callboard.codecs.ActorPath;

/**
 * Key of a parked message.
 *
 * @param actor the actor that could not handle it
 * @param id unique among the parked messages of the actor; a delivery that is replayed and given up
 *     again has the same one, perhaps with another cause
 */
public record ParkedKey(ActorPath actor, String id) {
  @Override
  public String toString() {
    return "parked message %s of %s".formatted(id, actor);
  }
}
