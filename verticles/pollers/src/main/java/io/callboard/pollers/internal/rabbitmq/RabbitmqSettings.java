package io.callboard.pollers.internal.rabbitmq;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a source, as {@link RabbitmqKind} documents them. */
record RabbitmqSettings(
    URI uri, String user, String password, String queue, String id, boolean quorum, int maxSize) {
  private static final int MIB = 1024 * 1024;
  private static final String HEADER = "header:";

  /** A name has 255 bytes at most, with what is added. */
  private static final int LONGEST_QUEUE = 220;

  static RabbitmqSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    URI uri = uri(settings);
    String user = settings.text("user").orElse("guest");
    String password = settings.text("password").orElse("guest");
    String queue = settings.required("queue");
    if (queue.getBytes(StandardCharsets.UTF_8).length > LONGEST_QUEUE) {
      throw settings.refused(
          "queue", "\"queue\" has at most %d bytes of UTF-8".formatted(LONGEST_QUEUE));
    }
    String id = settings.text("id").orElse("message-id");
    if (!id.equals("message-id")
        && !id.equals("body")
        && !(id.startsWith(HEADER) && id.length() > HEADER.length())) {
      throw settings.refused(
          "id", "\"id\" is message-id, header:<name> or body, not \"%s\"".formatted(id));
    }
    String queues = settings.word("queues", List.of("quorum", "classic")).orElse("quorum");
    int maxSize = settings.number("maxSize", 1, 64 * MIB).orElse(MIB);
    settings.end();
    return new RabbitmqSettings(uri, user, password, queue, id, queues.equals("quorum"), maxSize);
  }

  private static URI uri(Settings settings) {
    String text = settings.required("uri");
    String right = "\"uri\" is as amqp://rabbit:5672/%2f, or amqps://…";
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw settings.refused("uri", right);
    }
    boolean isAmqp = "amqp".equals(uri.getScheme()) || "amqps".equals(uri.getScheme());
    if (uri.getRawUserInfo() != null) {
      throw settings.refused("uri", right + "; user and password are settings of their own");
    } else if (!isAmqp || uri.getHost() == null || uri.getRawQuery() != null) {
      throw settings.refused("uri", right);
    }
    return uri;
  }

  boolean isTls() {
    return "amqps".equals(uri.getScheme());
  }

  int port() {
    return uri.getPort() >= 0 ? uri.getPort() : isTls() ? 5671 : 5672;
  }

  /** Returns the virtual host; without a path it is the default one. */
  String virtualHost() {
    String path = uri.getRawPath();
    return path == null || path.length() < 2
        ? "/"
        : URLDecoder.decode(path.substring(1).replace("+", "%2b"), StandardCharsets.UTF_8);
  }

  /** Returns the header that has the id, if one has. */
  @Nullable String idHeader() {
    return id.startsWith(HEADER) ? id.substring(HEADER.length()) : null;
  }

  boolean isIdOfBody() {
    return id.equals("body");
  }

  String deadQueue() {
    return queue + ".callboard.dead";
  }

  /** Returns a text without the password. */
  @Override
  public String toString() {
    return "queue \"%s\" of RabbitMQ at %s".formatted(queue, uri);
  }
}
