package io.callboard.pollers.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands of the actor that tells one message to another actor. */
public sealed interface TellCommand {
  /**
   * Tells the message, unless that was done before; answered with {@link Told}.
   *
   * @param path path of the receiver
   * @param type logical name of the message's type
   * @param message the message
   * @param digest digest of what its sender has sent; null from an older node
   */
  record TellOnce(String path, String type, JsonNode message, @Nullable String digest)
      implements TellCommand {}

  /** Forgets the message, which nobody repeats any more. */
  record Forget() implements TellCommand {}

  /**
   * State, and answer.
   *
   * @param at when it was told; null for not yet
   * @param digest digest of what its sender has sent; null for not yet, and if an older node told
   *     it
   */
  record Told(@Nullable Instant at, @Nullable String digest) {}
}
