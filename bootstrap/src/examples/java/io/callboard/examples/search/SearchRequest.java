package io.callboard.examples.search;

import io.vertx.core.MultiMap;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;

/**
 * Request of a client.
 *
 * @param limit maximum number of hits of each share
 * @param enough number of good hits that end the response early, see {@link GoodHits}; 0 for never
 */
record SearchRequest(String query, int limit, int enough, Duration deadline) {
  static final int MAX_LIMIT = 50;
  private static final int MAX_ENOUGH = 1000;
  private static final int USUAL_LIMIT = 10;
  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final List<String> NAMES = List.of("q", "limit", "enough", "deadline");

  /** A request that cannot be met; the message is for the client. */
  static final class BadRequest extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BadRequest(String message) {
      super(message);
    }
  }

  /**
   * Returns the request of HTTP parameters.
   *
   * @throws BadRequest if a parameter is unknown or wrong
   * @throws QuerySyntax.BadQuery if the query is
   */
  static SearchRequest of(MultiMap parameters) {
    for (String name : parameters.names()) {
      if (!NAMES.contains(name) || parameters.getAll(name).size() > 1) {
        throw new BadRequest("there is one each of %s, not %.40s".formatted(NAMES, name));
      }
    }
    String query = parameters.contains("q") ? parameters.get("q") : "";
    var unused = QuerySyntax.parse(query);
    return new SearchRequest(
        query,
        number(parameters, "limit", USUAL_LIMIT, MAX_LIMIT),
        number(parameters, "enough", 0, MAX_ENOUGH),
        deadline(parameters));
  }

  private static int number(MultiMap parameters, String name, int usual, int max) {
    String given = parameters.get(name);
    if (given == null) {
      return usual;
    }
    int number = given.matches("\\d{1,4}") ? Integer.parseInt(given) : 0;
    if (number < 1 || number > max) {
      throw new BadRequest("%s is 1 to %d, not \"%.40s\"".formatted(name, max, given));
    }
    return number;
  }

  private static Duration deadline(MultiMap parameters) {
    String given = parameters.get("deadline");
    if (given == null) {
      return USUAL;
    }
    try {
      Duration deadline = Duration.parse(given);
      if (deadline.compareTo(SHORTEST) >= 0 && deadline.compareTo(LONGEST) <= 0) {
        return deadline;
      }
    } catch (DateTimeParseException e) {
      // reported below, with what would be right
    }
    throw new BadRequest(
        "deadline is %s to %s, in ISO 8601, not \"%.40s\"".formatted(SHORTEST, LONGEST, given));
  }
}
