package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server of Redis, and how to connect to it. Its text has no secrets.
 *
 * @param database number of the database
 * @param certificates PEM file with the certificates of those that may sign the server's; null if
 *     they are Java's
 */
record RedisEndpoint(
    boolean tls,
    String host,
    int port,
    int database,
    @Nullable String user,
    @Nullable String password,
    @Nullable String certificates) {
  private static final int PORT = 6379;
  private static final int MOST_DATABASES = 10_000;
  private static final String RIGHT =
      "\"url\" is redis://HOST:PORT/DATABASE, or rediss:// for TLS; PORT and DATABASE may be left"
          + " out";

  /** Reads {@code url}, {@code user}, {@code password} and {@code certificates}. */
  static RedisEndpoint of(Settings settings) {
    URI url = uri(settings);
    boolean tls = "rediss".equals(url.getScheme());
    String host = url.getHost();
    if (host == null || !(tls || "redis".equals(url.getScheme())) || url.getRawQuery() != null) {
      throw settings.refused("url", RIGHT);
    }
    String user = settings.text("user").orElse(null);
    String password = settings.text("password").orElse(null);
    String info = url.getRawUserInfo();
    if (info != null) {
      if (user != null || password != null) {
        throw settings.refused("url", "\"url\" has a user or password, and so have the settings");
      }
      List<String> parts = List.of(info.split(":", 2));
      user = parts.get(0).isEmpty() ? null : decoded(settings, parts.get(0));
      password = parts.size() == 1 ? null : decoded(settings, parts.get(1));
    }
    if (user != null && password == null) {
      throw settings.refused("user", "\"user\" needs a \"password\"");
    }
    String certificates = settings.text("certificates").orElse(null);
    if (certificates != null && !tls) {
      throw settings.refused("certificates", "\"certificates\" needs a url with rediss://");
    }
    int port = url.getPort() < 0 ? PORT : url.getPort();
    return new RedisEndpoint(
        tls, host, port, database(settings, url), user, password, certificates);
  }

  /** Parses the URL; its failure does not tell it, because it may have a password. */
  private static URI uri(Settings settings) {
    try {
      return new URI(settings.required("url"));
    } catch (URISyntaxException e) {
      throw settings.refused("url", RIGHT);
    }
  }

  private static String decoded(Settings settings, String text) {
    try {
      // a plus is a plus in this part of a URL
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw settings.refused("url", RIGHT);
    }
  }

  private static int database(Settings settings, URI url) {
    String path = url.getPath();
    if (path == null || path.length() <= 1) {
      return 0;
    } else if (path.matches("/[0-9]{1,5}")
        && Integer.parseInt(path.substring(1)) < MOST_DATABASES) {
      return Integer.parseInt(path.substring(1));
    }
    throw settings.refused("url", RIGHT);
  }

  /** Returns the URL without user and password. */
  String url() {
    return "%s://%s:%d/%d".formatted(tls ? "rediss" : "redis", host, port, database);
  }

  @Override
  public String toString() {
    return "Redis at %s:%d".formatted(host, port);
  }
}
