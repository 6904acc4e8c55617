package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Address of SQS and credentials of its caller. Its text has no secrets.
 *
 * @param region null if the SDK finds it out
 * @param endpoint null if it is Amazon's of the region
 * @param key null if the SDK finds out who calls
 */
record SqsAccess(
    @Nullable String region,
    @Nullable URI endpoint,
    @Nullable String key,
    @Nullable String secret,
    @Nullable String token) {
  /** Reads {@code region}, {@code endpoint} and the settings of the key. */
  static SqsAccess of(Settings settings) {
    String key = settings.text("accessKeyId").orElse(null);
    String secret = settings.text("secretAccessKey").orElse(null);
    String token = settings.text("sessionToken").orElse(null);
    if ((key == null) != (secret == null)) {
      throw settings.refused(
          key == null ? "accessKeyId" : "secretAccessKey",
          "\"accessKeyId\" and \"secretAccessKey\" go together; without both, the SDK finds a key");
    } else if (token != null && key == null) {
      throw settings.refused("sessionToken", "\"sessionToken\" needs an \"accessKeyId\"");
    }
    return new SqsAccess(
        settings.text("region").orElse(null), endpoint(settings), key, secret, token);
  }

  private static @Nullable URI endpoint(Settings settings) {
    String endpoint = settings.text("endpoint").orElse(null);
    if (endpoint == null) {
      return null;
    }
    try {
      URI uri = new URI(endpoint);
      if (endpoint.matches("https?://.*") && uri.getHost() != null && uri.getUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw settings.refused("endpoint", "\"endpoint\" is no URL: " + e.getReason());
    }
    throw settings.refused("endpoint", "\"endpoint\" is https://HOST:PORT");
  }

  @Override
  public String toString() {
    if (endpoint != null) {
      return "SQS at %s:%d".formatted(endpoint.getHost(), endpoint.getPort());
    }
    return region == null ? "SQS" : "SQS in " + region;
  }
}
