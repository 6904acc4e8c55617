package io.callboard.pollers.internal.feed;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * Kind {@code feed}: the entries of an RSS or Atom feed.
 *
 * <p>Settings:
 *
 * <ul>
 *   <li>{@code url}: http or https
 *   <li>{@code period}: time between two looks at it, PT1S to P1D, default PT5M
 *   <li>{@code maxSize}: largest document in bytes, after decompression, up to 64 MiB, default 8
 *       MiB
 *   <li>{@code maxEntries}: number of its first entries that are regarded, up to 5,000, default
 *       1,000
 *   <li>{@code userAgent}: how it introduces itself, default {@code Callboard}
 * </ul>
 *
 * <p>The body of a message is JSON with the texts {@code id}, {@code title}, {@code link}, {@code
 * published} (ISO 8601), {@code author}, {@code summary} and {@code content}, those that the entry
 * has; the header {@code feed} has the title of the feed. Nothing can be emitted to a feed.
 */
public final class FeedKind implements SourceKind {
  /** Creates the kind. */
  public FeedKind() {}

  @Override
  public String name() {
    return "feed";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("com.rometools:rome");
  }

  @Override
  public void check(JsonObject settings) {
    var unused = FeedSettings.of(settings);
  }

  /** Returns true: an entry that is corrected is the same one. */
  @Override
  public boolean bodiesMayChange() {
    return true;
  }

  @Override
  public boolean sends(JsonObject settings) {
    return false;
  }

  @Override
  public Source create(SourceContext its) {
    UUID client = UUID.randomUUID();
    return new FeedSource(
        its.vertx(),
        its.name(),
        client,
        FeedSettings.of(its.settings()),
        its.memory(),
        Time.SYSTEM);
  }
}
