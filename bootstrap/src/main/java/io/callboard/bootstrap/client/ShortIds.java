package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Ids that people shorten to a beginning that no other id has.
 *
 * <p>Ids of jobs sort by age and begin with a time in milliseconds, of {@link #SHOWN} characters;
 * the next ones begin alike only if they were submitted in the same millisecond.
 */
final class ShortIds {
  /** Number of characters of a job's id that a table shows at least. */
  static final int SHOWN = 13;

  private static final int WHOLE = 36;
  private static final int MOST_NAMED = 5;
  private static final int MOST_PAGES = 20;
  private static final int MOST_PARKED = 500;
  private static final Pattern BEGINNING = Pattern.compile("[0-9a-f-]{1,35}");

  private ShortIds() {}

  /**
   * Returns the id of the job that is meant.
   *
   * @param given id, or the beginning of one
   * @throws IOException that names the candidates if several jobs can be meant
   */
  static String job(ClientCommand node, String given) throws IOException {
    return inPages(node, "job", "/jobs", given);
  }

  /**
   * Returns the id of the instance of a workflow that is meant.
   *
   * @param given id, or the beginning of one
   * @throws IOException that names the candidates if several instances can be meant
   */
  static String instance(ClientCommand node, String given) throws IOException {
    return inPages(node, "workflow instance", "/workflows", given);
  }

  private static String inPages(ClientCommand node, String what, String list, String given)
      throws IOException {
    if (given.length() >= WHOLE || !BEGINNING.matcher(given).matches()) {
      return given; // the node says what is wrong with it
    }
    List<JsonNode> found = new ArrayList<>();
    String page = list + "?limit=200&q=" + ClientCommand.encoded(given);
    String cursor = "";
    for (int i = 0; i < MOST_PAGES && found.size() <= MOST_NAMED; i++) {
      JsonNode answer = node.get(page + cursor);
      answer.path("items").forEach(row -> addIfMeant(found, row, given));
      if (!answer.has("next")) {
        break;
      }
      cursor = "&cursor=" + ClientCommand.encoded(answer.path("next").asText());
    }
    return only(node, what, given, found);
  }

  /**
   * Returns the id of the parked message that is meant.
   *
   * @param given beginning of an id
   * @throws IOException that names the candidates if several messages can be meant
   */
  static String parked(ClientCommand node, String given) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode message : node.get("/deadletters?limit=" + MOST_PARKED).path("items")) {
      addIfMeant(found, message, given);
    }
    return only(node, "parked message", given, found);
  }

  private static void addIfMeant(List<JsonNode> found, JsonNode row, String given) {
    if (row.path("id").asText().startsWith(given)) {
      found.add(row);
    }
  }

  private static String only(ClientCommand node, String what, String given, List<JsonNode> found)
      throws IOException {
    if (found.isEmpty()) {
      throw new IOException(
          "no %s at %s has an id that is or begins with \"%s\"".formatted(what, node.url(), given));
    }
    if (found.size() > 1) {
      String candidates =
          found.stream()
              .limit(MOST_NAMED)
              .map(ShortIds::named)
              .collect(Collectors.joining(", ", "", found.size() > MOST_NAMED ? " and more" : ""));
      throw new IOException(
          "\"%s\" is the beginning of several ids: %s; give more of it"
              .formatted(given, candidates));
    }
    return found.get(0).path("id").asText();
  }

  private static String named(JsonNode row) {
    return row.has("state")
        ? "%s (%s)".formatted(row.path("id").asText(), row.path("state").asText())
        : row.path("id").asText();
  }

  /**
   * Returns the beginning of an id that tells it from its neighbours in the order of ids.
   *
   * @param before id before it; empty if there is none
   * @param after id after it; empty if there is none
   */
  static String shortest(String id, String before, String after) {
    int length = Math.max(SHOWN, 1 + Math.max(common(id, before), common(id, after)));
    return length >= id.length() ? id : id.substring(0, length);
  }

  private static int common(String one, String other) {
    int same = 0;
    while (same < Math.min(one.length(), other.length())
        && one.charAt(same) == other.charAt(same)) {
      same++;
    }
    return same;
  }
}
