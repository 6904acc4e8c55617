package io.callboard.pollers.source;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the settings of a source, which refuses what it does not know. Not thread-safe.
 *
 * <p>Ask for each setting once, then call {@link #end}.
 */
public final class Settings {
  /** Shortest lease that users may set: a loaded machine may pause for as long as a shorter one. */
  public static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

  private final JsonObject json;
  private final Set<String> known = new HashSet<>();

  /** Creates a reader of {@code json}. */
  public Settings(JsonObject json) {
    this.json = json;
  }

  /** Returns a text that must be there and not blank. */
  public String text(String key) {
    String found = text(key, null);
    if (found == null) {
      throw refused(key, "\"%s\" is missing".formatted(key));
    }
    return found;
  }

  /** Returns a text, or {@code otherwise} if it is absent. */
  public @Nullable String text(String key, @Nullable String otherwise) {
    Object found = found(key);
    if (found == null) {
      return otherwise;
    } else if (found instanceof String text && !text.isBlank()) {
      return text;
    }
    throw refused(key, "\"%s\" must be a text that is not empty".formatted(key));
  }

  /** Returns one of {@code words}, or {@code otherwise} if it is absent. */
  public String word(String key, List<String> words, String otherwise) {
    String found = text(key, otherwise);
    if (found == null || !words.contains(found)) {
      throw refused(key, "\"%s\" is one of %s, not \"%s\"".formatted(key, words, found));
    }
    return found;
  }

  /** Returns a whole number between {@code least} and {@code most}. */
  public int number(String key, int least, int most, int otherwise) {
    Object found = found(key);
    if (found == null) {
      return otherwise;
    } else if (found instanceof Integer number && number >= least && number <= most) {
      return number;
    }
    throw refused(key, "\"%s\" is a whole number from %,d to %,d".formatted(key, least, most));
  }

  /** Returns a boolean. */
  public boolean flag(String key, boolean otherwise) {
    Object found = found(key);
    if (found == null) {
      return otherwise;
    } else if (found instanceof Boolean flag) {
      return flag;
    }
    throw refused(key, "\"%s\" is true or false".formatted(key));
  }

  /** Returns an ISO 8601 duration between {@code least} and {@code most}, as {@code PT30S}. */
  public Duration duration(String key, Duration least, Duration most, Duration otherwise) {
    Object found = found(key);
    if (found == null) {
      return otherwise;
    }
    try {
      Duration duration = Duration.parse(String.valueOf(found));
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      throw refused(key, "\"%s\" is a duration as PT30S, not \"%s\"".formatted(key, found));
    }
    throw refused(key, "\"%s\" is a duration from %s to %s".formatted(key, least, most));
  }

  /** Refuses every setting that was not asked for. */
  public void end() {
    for (String key : json.fieldNames()) {
      if (!known.contains(key)) {
        throw refused(key, "\"%s\" is unknown; there are %s".formatted(key, new TreeSet<>(known)));
      }
    }
  }

  /** Returns a refusal of a setting. */
  public SourceSettingException refused(String key, String message) {
    return new SourceSettingException("/" + key, message);
  }

  private @Nullable Object found(String key) {
    known.add(key);
    return json.getValue(key);
  }
}
