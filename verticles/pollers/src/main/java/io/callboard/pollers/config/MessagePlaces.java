package io.callboard.pollers.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.pollers.model.BodyFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Places of messages, as far as they are known before there is a message. */
final class MessagePlaces {
  private static final Set<String> OF_RESULT = Set.of("outcome", "ref");

  private final boolean textBodies;

  private MessagePlaces(boolean textBodies) {
    this.textBodies = textBodies;
  }

  /** Returns the places of the messages of a source, as it is configured. */
  static MessagePlaces ofSource(JsonNode source) {
    return new MessagePlaces(
        source.path("body").asText().equals(BodyFormat.TEXT.name().toLowerCase(Locale.ROOT)));
  }

  /** Returns why no message has a value at a place; empty if one may have. */
  Optional<String> fault(JsonPointer place) {
    JsonPointer below = place.tail();
    if (below.matches()) {
      return Optional.empty();
    }
    String root = place.getMatchingProperty();
    return switch (root) {
      case "id", "source" -> nothing(place, "/" + root + " is a text");
      case "body" ->
          textBodies
              ? nothing(place, "/body is a text, as the body of this source is")
              : Optional.empty();
      case "result" ->
          OF_RESULT.contains(below.getMatchingProperty()) && below.tail().matches()
              ? Optional.empty()
              : nothing(place, "/result has the texts outcome and ref");
      default -> // headers
          below.tail().matches()
              ? Optional.empty()
              : nothing(place, "/%s has texts".formatted(root));
    };
  }

  private static Optional<String> nothing(JsonPointer place, String why) {
    return Optional.of("there is nothing at %s of any message: %s".formatted(place, why));
  }

  /** Returns whether a place of each message is an object. */
  static boolean isObject(JsonPointer place) {
    return place.tail().matches()
        && Set.of("headers", "result").contains(place.getMatchingProperty());
  }
}
