package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * State of one client, as a machine without I/O: its inputs are messages, the time and whether the
 * client keeps up; its outputs are effects.
 *
 * <p>It keeps, for each subscription, which rows changed since the client's last frame; the last
 * value wins. A client that reads slowly gets fewer frames, but always the current state: what is
 * kept for it is bounded by what it subscribes to.
 */
final class ClientSession {
  /** Subscriptions of one client. */
  static final int MOST_SUBSCRIPTIONS = 16;

  /** Maximum number of characters of a message from the client. */
  static final int MOST_CHARACTERS = 8_192;

  /** Maximum number of messages of a client between two ticks. */
  static final int MOST_MESSAGES = 50;

  /** Time without progress of the socket after which a client is disconnected, in milliseconds. */
  static final long STALLED_MS = 30_000;

  /** Time within which a client must say hello, in milliseconds. */
  static final long HELLO_WITHIN_MS = 10_000;

  /** Interval of pings to a client, in milliseconds. */
  static final long PING_EVERY_MS = 20_000;

  /** Number of unanswered pings after which a client is disconnected. */
  static final int MOST_UNANSWERED = 2;

  static final int CLOSE_TOO_BIG = 1009;
  static final int CLOSE_POLICY = 1008;
  static final int CLOSE_STALLED = 4008;

  private final String welcome;
  private final Map<Integer, Subscription> subscriptions = new LinkedHashMap<>();
  private final long sinceMs;
  private boolean greeted;
  private int unanswered;
  private long pingedMs;
  private int messages;
  private long stalledSinceMs = -1;

  /** Effect to carry out for the client. */
  sealed interface Effect {
    record Send(String frame) implements Effect {}

    /** Opens that topic and {@link #attach attaches} its view, or {@link #refuse refuses} it. */
    record Open(int id, String topic, JsonNode query) implements Effect {}

    /** Removes a watcher of that view. */
    record Left(View view) implements Effect {}

    record Ping() implements Effect {}

    record Close(int code, String reason) implements Effect {}
  }

  ClientSession(String welcome, long nowMs) {
    this.welcome = welcome;
    sinceMs = nowMs;
    pingedMs = nowMs;
  }

  /** Processes a text message of the client. */
  List<Effect> receive(String text) {
    messages++;
    if (text.length() > MOST_CHARACTERS) {
      return List.of(
          new Effect.Close(
              CLOSE_TOO_BIG, "a message must have at most " + MOST_CHARACTERS + " characters"));
    }
    if (messages > MOST_MESSAGES) {
      return List.of(new Effect.Close(CLOSE_POLICY, "too many messages"));
    }
    JsonNode message;
    try {
      message = Json.parse("the message", text.getBytes(StandardCharsets.UTF_8));
    } catch (CodecException e) {
      return error("MALFORMED", String.valueOf(e.getMessage()));
    }
    if (!message.isObject()) {
      return error("MALFORMED", "a message must be a JSON object");
    }
    String type = message.path("t").asText("");
    if (type.equals("hello")) {
      greeted = true;
      return List.of(new Effect.Send(welcome));
    } else if (!greeted) {
      return error("HELLO_FIRST", "send {\"t\":\"hello\"} first");
    }
    return switch (type) {
      case "sub" -> subscribe(message);
      case "unsub" -> unsubscribe(message);
      default -> error("MALFORMED", "t must be hello, sub or unsub");
    };
  }

  /** Processes a binary frame of the client. */
  List<Effect> receiveBinary() {
    return ++messages > MOST_MESSAGES
        ? List.of(new Effect.Close(CLOSE_POLICY, "too many messages"))
        : error("MALFORMED", "a message must be text");
  }

  /** Processes a ping of the client, which was answered already. */
  List<Effect> receivePing() {
    return ++messages > MOST_MESSAGES
        ? List.of(new Effect.Close(CLOSE_POLICY, "too many messages"))
        : List.of();
  }

  /** Processes the answer to a ping. */
  void pong() {
    unanswered = 0;
  }

  private static List<Effect> error(String code, String detail) {
    return List.of(new Effect.Send(Frames.error(null, code, detail)));
  }

  private List<Effect> subscribe(JsonNode message) {
    JsonNode id = message.path("id");
    if (!id.isInt() || !message.path("topic").isTextual()) {
      return error("MALFORMED", "sub needs a topic, and a whole number as id");
    }
    if (subscriptions.containsKey(id.intValue())) {
      return refuse(id.intValue(), "ID_TAKEN", "there is a subscription " + id + " already");
    }
    if (subscriptions.size() >= MOST_SUBSCRIPTIONS) {
      return refuse(
          id.intValue(),
          "TOO_MANY",
          "a client has at most %d subscriptions".formatted(MOST_SUBSCRIPTIONS));
    }
    return List.of(
        new Effect.Open(id.intValue(), message.get("topic").asText(), message.path("q")));
  }

  private List<Effect> unsubscribe(JsonNode message) {
    Subscription ended = subscriptions.remove(message.path("id").asInt(Integer.MIN_VALUE));
    return ended == null ? List.of() : List.of(new Effect.Left(ended.view()));
  }

  /** Attaches {@code view} to the subscription {@code id}. */
  void attach(int id, View view) {
    subscriptions.put(id, new Subscription(id, view));
  }

  /** Refuses the subscription {@code id}. */
  List<Effect> refuse(int id, String code, String detail) {
    return List.of(new Effect.Send(Frames.error(id, code, detail)));
  }

  /** Records changed rows of {@code view}. */
  void changed(View view, View.Change change) {
    subscriptions.values().stream()
        .filter(subscription -> subscription.view() == view)
        .forEach(subscription -> subscription.add(change));
  }

  /** Returns the watched views, each once for each subscription. */
  List<View> views() {
    return subscriptions.values().stream().map(Subscription::view).toList();
  }

  /** Returns the effects of a tick: due changes, or at least a sign of life. */
  List<Effect> tick(long nowMs, boolean writable) {
    messages = 0;
    if (!greeted && nowMs - sinceMs > HELLO_WITHIN_MS) {
      return List.of(new Effect.Close(CLOSE_POLICY, "no hello within 10 seconds"));
    }
    if (!writable) {
      stalledSinceMs = stalledSinceMs < 0 ? nowMs : stalledSinceMs;
      return nowMs - stalledSinceMs > STALLED_MS
          ? List.of(new Effect.Close(CLOSE_STALLED, "nothing was read for 30 seconds"))
          : List.of();
    }
    stalledSinceMs = -1;
    boolean ping = nowMs - pingedMs >= PING_EVERY_MS;
    if (ping && unanswered >= MOST_UNANSWERED) {
      return List.of(new Effect.Close(CLOSE_STALLED, "two pings were not answered"));
    }
    List<Effect> effects = flush(true);
    if (effects.isEmpty()) {
      subscriptions.forEach(
          (id, subscription) -> {
            if (effects.isEmpty() && subscription.view().loaded()) {
              String alive = Frames.delta(id, subscription.view().seq(), Map.of(), List.of());
              effects.add(new Effect.Send(alive));
            }
          });
    }
    if (ping) {
      pingedMs = nowMs;
      unanswered++;
      effects.add(new Effect.Ping());
    }
    return effects;
  }

  /** Returns the effects that are due between two ticks: the first snap of a new subscription. */
  List<Effect> flush(boolean writable) {
    List<Effect> effects = new ArrayList<>();
    if (writable) {
      subscriptions
          .values()
          .forEach(due -> due.frames().forEach(frame -> effects.add(new Effect.Send(frame))));
    }
    return effects;
  }
}
