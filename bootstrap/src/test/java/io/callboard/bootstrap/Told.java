package io.callboard.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.WebSocketFrame;
import com.microsoft.playwright.WebSocketRoute;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Topics that a test tells the page in place of the node, which tells it all others. */
final class Told {
  private static final Pattern SOCKET = Pattern.compile("/ws$");

  private final Map<String, Map<String, Object>> now = new HashMap<>();
  private final Map<Integer, String> subscriptions = new LinkedHashMap<>();
  private WebSocketRoute socket;
  private int connections;

  /** Stands in for the node; to be called before the page is opened. */
  Told(Page page, String... topics) {
    for (String topic : topics) {
      now.put(topic, rows(List.of()));
    }
    page.routeWebSocket(SOCKET, this::join);
  }

  private static Map<String, Object> rows(List<Map<String, Object>> rows) {
    return Map.of("t", "snap", "rows", rows);
  }

  private void join(WebSocketRoute route) {
    socket = route;
    connections++;
    subscriptions.clear();
    WebSocketRoute node = route.connectToServer();
    route.onMessage(frame -> heard(frame, node));
  }

  private void heard(WebSocketFrame frame, WebSocketRoute node) {
    JsonNode message = Json.parse("the frame", frame.text().getBytes(StandardCharsets.UTF_8));
    int id = message.path("id").asInt();
    String topic = message.path("topic").asText();
    if (now.containsKey(topic)) {
      subscriptions.put(id, topic);
      send(id, now.get(topic));
    } else if (!message.path("t").asText().equals("unsub") || subscriptions.remove(id) == null) {
      node.send(frame.text());
    }
  }

  private void send(int id, Map<String, Object> message) {
    Map<String, Object> sent = new HashMap<>(message);
    sent.put("id", id);
    socket.send(new String(Json.bytes(sent), StandardCharsets.UTF_8));
  }

  private void tell(String topic, Map<String, Object> message) {
    now.put(topic, message);
    subscriptions.forEach(
        (id, of) -> {
          if (of.equals(topic)) {
            send(id, message);
          }
        });
  }

  /** Tells all rows of a topic, each with its {@code key}. */
  void rows(String topic, List<Map<String, Object>> rows) {
    tell(topic, rows(rows));
  }

  /** Tells all rows of a topic, as an array of JSON. */
  void rows(String topic, String json) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (JsonNode row : Json.parse("the rows", json.getBytes(StandardCharsets.UTF_8))) {
      Map<String, Object> fields = new HashMap<>();
      row.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
      rows.add(fields);
    }
    rows(topic, rows);
  }

  /** Tells that a topic cannot be read. */
  void error(String topic, String detail) {
    tell(topic, Map.of("t", "error", "detail", detail));
  }

  /** Returns how often the page has connected. */
  int connections() {
    return connections;
  }

  /** Closes the page's connection. */
  void close(int code) {
    socket.close(new WebSocketRoute.CloseOptions().setCode(code).setReason("closed by the test"));
  }
}
