package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;

/**
 * Key of the body of one large message.
 *
 * @param receiver of the message
 */
public record BlobKey(ActorPath receiver, BlobRef blob) {
  @Override
  public String toString() {
    return "blob %s for %s".formatted(blob.id(), receiver);
  }
}
