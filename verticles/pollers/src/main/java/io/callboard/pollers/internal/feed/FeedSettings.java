package io.callboard.pollers.internal.feed;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/**
 * Settings of a feed, as {@link FeedKind} describes them.
 *
 * @param maxSize largest document in bytes
 */
record FeedSettings(URI url, Duration period, int maxSize, int maxEntries, String userAgent) {
  /** Highest {@code maxEntries}; the memory has room for that many several times. */
  static final int MOST_ENTRIES = 5_000;

  /** Longest time between two looks, also if its server wants a longer one. */
  static final Duration LONGEST_PERIOD = Duration.ofDays(1);

  private static final int MIB = 1024 * 1024;

  static FeedSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    String agent = settings.text("userAgent").orElse("Callboard");
    FeedSettings read =
        new FeedSettings(
            url(settings),
            settings
                .duration("period", Duration.ofSeconds(1), LONGEST_PERIOD)
                .orElse(Duration.ofMinutes(5)),
            settings.number("maxSize", 1024, 64 * MIB).orElse(8 * MIB),
            settings.number("maxEntries", 1, MOST_ENTRIES).orElse(1_000),
            agent);
    if (!read.userAgent().matches("[ -~]{1,200}")) {
      throw settings.refused("userAgent", "\"userAgent\" has 1 to 200 characters of ASCII");
    }
    settings.end();
    return read;
  }

  private static URI url(Settings settings) {
    String text = settings.required("url");
    try {
      URI url = new URI(text);
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (isHttp && url.getHost() != null && url.getUserInfo() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw settings.refused("url", "\"url\" is no URL: " + e.getReason());
    }
    throw settings.refused(
        "url", "\"url\" is as https://host/feed.xml, without a user, in small letters");
  }

  /** Returns a text without the query, which may have a secret. */
  @Override
  public String toString() {
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return "the feed %s://%s%s%s".formatted(url.getScheme(), url.getHost(), port, url.getPath());
  }
}
