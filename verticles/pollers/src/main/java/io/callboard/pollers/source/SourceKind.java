package io.callboard.pollers.source;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Kind of source, as {@code kafka}: makes the sources that are configured with its name.
 *
 * <p>Its class may be loaded without the client of the other system on the class path; only {@link
 * #create} needs it.
 */
public interface SourceKind {
  /** Returns the name of the kind, as in {@code kind: kafka}: lower-case words with hyphens. */
  String name();

  /**
   * Returns the Maven artifact ({@code group:artifact}) that users add for this kind; empty if it
   * needs none.
   */
  Optional<String> artifact();

  /**
   * Checks the settings of a source, without any I/O.
   *
   * @throws SourceSettingException with the settings that are unknown, missing or wrong
   */
  void check(JsonObject settings);

  /**
   * Makes a source, which is not open yet.
   *
   * @param its its name and settings, and what it is given
   */
  Source create(SourceContext its);

  /**
   * Returns whether a source sends what it is given to {@link Source#emit}; by default it does. If
   * it does not, no configuration may ask it to.
   *
   * @param settings its settings, which {@link #check} has accepted
   */
  default boolean sends(JsonObject settings) {
    return true;
  }

  /**
   * Returns whether a message may have another body when it is delivered again, and is the same one
   * nevertheless; by default it may not, and another body under an id is taken for another message.
   */
  default boolean bodiesMayChange() {
    return false;
  }

  /** Returns the longest time that a source of this kind needs for a call, by default 10 s. */
  default Duration patience() {
    return Duration.ofSeconds(10);
  }
}
