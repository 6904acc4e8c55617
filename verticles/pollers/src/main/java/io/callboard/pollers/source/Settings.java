package io.callboard.pollers.source;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reader of the settings of a source, which refuses what it does not know. Not thread-safe.
 *
 * <p>Ask for each setting once, then call {@link #end}.
 */
public final class Settings extends Fields {
  /** Shortest lease that users may set: a loaded machine may pause for as long as a shorter one. */
  public static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

  private final List<FieldDefect> defects;

  /** Creates a reader of {@code json}. */
  public Settings(JsonObject json) {
    this(json, new ArrayList<>());
  }

  private Settings(JsonObject json, List<FieldDefect> defects) {
    super(tree("settings", json), "", defects::add);
    this.defects = defects;
  }

  /** Returns an ISO 8601 duration between {@code least} and {@code most}, as {@code PT30S}. */
  public Optional<Duration> duration(String key, Duration least, Duration most) {
    return duration(
        key,
        read -> read.compareTo(least) >= 0 && read.compareTo(most) <= 0,
        "from %s to %s".formatted(least, most));
  }

  /**
   * Refuses every setting that was not asked for.
   *
   * @throws SourceSettingException with all that is wrong
   */
  public void end() {
    noOthers();
    if (!defects.isEmpty()) {
      throw new SourceSettingException(defects);
    }
  }

  /**
   * Returns a refusal of a setting, and of those that were wrong before.
   *
   * @param message what is wrong, and what would be right
   */
  public SourceSettingException refused(String key, String message) {
    if (defects.stream().noneMatch(each -> each.pointer().equals(at(key)))) {
      defect(key, message, "");
    }
    return new SourceSettingException(defects);
  }
}
