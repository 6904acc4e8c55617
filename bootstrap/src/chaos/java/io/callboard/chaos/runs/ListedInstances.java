package io.callboard.chaos.runs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/**
 * List of workflow instances, put together from its pages, the newest instance first. It is
 * believed in one thing only, that an instance succeeded; of a page that says that it is partial,
 * nothing is taken.
 */
public final class ListedInstances {
  /** State of an instance that succeeded. */
  public static final String SUCCEEDED = "SUCCEEDED";

  private static final String FIRST = "limit=200";

  private final Set<String> succeeded = new HashSet<>();
  private String cursor = "";
  private boolean whole;

  /** Returns the query for the next page. */
  public String query() {
    return cursor.isEmpty() ? FIRST : FIRST + "&cursor=" + cursor;
  }

  /**
   * Adds the next page.
   *
   * @return whether it was added; one that is partial is to be asked for again
   * @throws IllegalStateException if the list does not go on behind it
   */
  public boolean add(JsonNode page) {
    if (page.path("partial").asBoolean()) {
      return false;
    }
    String next = page.path("next").asText("");
    if (!next.isEmpty() && !cursor.isEmpty() && next.compareTo(cursor) >= 0) {
      throw new IllegalStateException(
          "the page behind %s is followed by one behind %s".formatted(cursor, next));
    }
    for (JsonNode instance : page.path("items")) {
      if (instance.path("state").asText().equals(SUCCEEDED)) {
        boolean unused = succeeded.add(instance.path("id").asText());
      }
    }
    cursor = next;
    whole = next.isEmpty();
    return true;
  }

  /** Returns whether all pages were added. */
  public boolean isWhole() {
    return whole;
  }

  /** Returns whether a page names the instance as one that succeeded. */
  public boolean hasSucceeded(String id) {
    return succeeded.contains(id);
  }
}
