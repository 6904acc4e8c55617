package io.callboard.pollers.internal.jdbc;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Settings of an outbox table, as {@link JdbcKind} describes them.
 *
 * @param maxSize largest body in bytes
 * @param mark whether completed rows stay
 */
record JdbcSettings(
    String url,
    Optional<String> user,
    Optional<String> password,
    String table,
    boolean createTable,
    Duration lease,
    int maxSize,
    boolean mark,
    int connections) {
  private static final int MIB = 1024 * 1024;
  private static final Pattern TABLE =
      Pattern.compile("([a-z_][a-z0-9_]{0,62}\\.)?[a-z_][a-z0-9_]{0,62}");

  static JdbcSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    JdbcSettings read =
        new JdbcSettings(
            url(settings),
            settings.text("user"),
            settings.text("password"),
            table(settings),
            settings.flag("createTable").orElse(false),
            settings
                .duration("lease", Settings.SHORTEST_LEASE, Duration.ofHours(1))
                .orElse(Duration.ofSeconds(30)),
            settings.number("maxSize", 1, 64 * MIB).orElse(MIB),
            settings.word("done", List.of("delete", "mark")).orElse("delete").equals("mark"),
            settings.number("connections", 2, 10).orElse(3));
    settings.end();
    return read;
  }

  private static String url(Settings settings) {
    String url = settings.required("url");
    if (!url.startsWith("jdbc:postgresql:")) {
      throw settings.refused("url", "\"url\" is as jdbc:postgresql://host:5432/database");
    } else if (url.toLowerCase(Locale.ROOT).contains("password=")) {
      throw settings.refused("url", "\"url\" has a password, which belongs to \"password\"");
    } else if (url.replaceAll("\\?.*", "").contains("@")) {
      throw settings.refused(
          "url", "\"url\" is without \"user\" and \"password\", which are settings of their own");
    }
    return url;
  }

  private static String table(Settings settings) {
    String table = settings.text("table").orElse("callboard_outbox");
    if (!isTable(table)) {
      throw settings.refused(
          "table", "\"table\" is the name of a table, in small letters, digits and underscores");
    }
    return table;
  }

  static boolean isTable(String name) {
    return TABLE.matcher(name).matches();
  }

  /** Returns a text without user and password. */
  @Override
  public String toString() {
    return "the table %s of %s".formatted(table, url.replaceAll("\\?.*", ""));
  }
}
