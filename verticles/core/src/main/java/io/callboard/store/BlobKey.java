package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;

/**
 * Key of one blob.
 *
 * @param receiver of the message whose body it is; for other blobs, the actor that it belongs to
 */
public record BlobKey(ActorPath receiver, BlobRef blob) {
  @Override
  public String toString() {
    return "blob %s for %s".formatted(blob.id(), receiver);
  }
}
