package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Request of an {@code http} step, from its parameters.
 *
 * @param method its method, default GET
 * @param url where it goes, http or https
 * @param headers its headers
 * @param body its body; empty for none
 * @param expected the ranges of statuses that are successes, default 200 to 299
 * @param timeout longest time of one exchange, default 30 s
 */
record HttpCall(
    HttpMethod method,
    URI url,
    Map<String, String> headers,
    Optional<Buffer> body,
    List<Statuses> expected,
    Duration timeout) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Set<String> KEYS =
      Set.of("method", "url", "headers", "body", "expect", "timeout");
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  /** Headers that the client sets itself. */
  private static final Set<String> OWN =
      Set.of("host", "content-length", "transfer-encoding", "connection", "upgrade");

  /** Statuses from one to another, both included. */
  record Statuses(int from, int to) {
    boolean has(int status) {
      return status >= from && status <= to;
    }
  }

  /** Reads the parameters of a step; a mistake in them is a failure for good. */
  static HttpCall of(JsonNode with) {
    List<FieldDefect> defects = new ArrayList<>();
    Fields fields = new Fields(with, "", defects::add);
    fields.noOthersThan(KEYS);
    Duration timeout =
        fields
            .duration("timeout", each -> each.compareTo(Duration.ZERO) > 0, "more than zero")
            .orElse(TIMEOUT);
    if (!defects.isEmpty()) {
      throw wrong(FieldDefect.line(defects));
    }
    Map<String, String> headers = headers(with.path("headers"));
    JsonNode body = with.path("body");
    boolean json = !body.isMissingNode() && !body.isTextual();
    if (json && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
      headers.put("Content-Type", "application/json");
    }
    return new HttpCall(
        method(with.path("method").asText("GET")),
        url(with.path("url").asText("")),
        headers,
        body.isMissingNode() || body.isNull()
            ? Optional.empty()
            : Optional.of(Buffer.buffer(json ? body.toString() : body.asText())),
        expected(with.path("expect")),
        timeout);
  }

  private static PermanentStepException wrong(String what) {
    return new PermanentStepException("the parameters of the http step are wrong: " + what);
  }

  private static HttpMethod method(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (!METHODS.contains(upper)) {
      throw wrong("method %.40s is none of %s".formatted(name, new TreeSet<>(METHODS)));
    }
    return HttpMethod.valueOf(upper);
  }

  /** Returns a URL that may be called. */
  static URI url(String text) {
    try {
      URI url = new URI(text);
      String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
      if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
        throw wrong(
            "url must begin with http:// or https:// and name a host, unlike %.200s"
                .formatted(text));
      } else if (url.getUserInfo() != null) {
        throw wrong("url must not have a user or a password: give a header Authorization");
      }
      return url;
    } catch (URISyntaxException e) {
      throw wrong("url is not valid: " + e.getMessage());
    }
  }

  private static Map<String, String> headers(JsonNode given) {
    Map<String, String> headers = new LinkedHashMap<>();
    given
        .fields()
        .forEachRemaining(
            header -> {
              String value = header.getValue().asText();
              boolean bad = (header.getKey() + value).chars().anyMatch(c -> c < ' ' && c != '\t');
              if (bad || OWN.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                throw wrong("header %.80s cannot be set".formatted(header.getKey()));
              }
              headers.put(header.getKey(), value);
            });
    return headers;
  }

  private static List<Statuses> expected(JsonNode given) {
    List<Statuses> ranges = new ArrayList<>();
    if (given.isMissingNode()) {
      ranges.add(new Statuses(200, 299));
    }
    for (JsonNode each : given.isArray() ? given : List.of(given)) {
      String text = each.asText();
      if (text.matches("[1-5]xx")) {
        int from = (text.charAt(0) - '0') * 100;
        ranges.add(new Statuses(from, from + 99));
      } else if (text.matches("[1-5][0-9][0-9]")) {
        ranges.add(new Statuses(Integer.parseInt(text), Integer.parseInt(text)));
      } else if (!given.isMissingNode()) {
        throw wrong("expect names statuses such as 200 or 2xx, not %.40s".formatted(text));
      }
    }
    return ranges;
  }

  /** Returns whether a status is a success. */
  boolean expects(int status) {
    return expected.stream().anyMatch(range -> range.has(status));
  }

  /** Returns this call to another place of the same host. */
  HttpCall at(URI other) {
    return new HttpCall(method, other, headers, body, expected, timeout);
  }

  /** Returns the port. */
  int port() {
    return url.getPort() > 0 ? url.getPort() : isTls() ? 443 : 80;
  }

  /** Returns whether the request is encrypted. */
  boolean isTls() {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  /** Returns path and query. */
  String target() {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }
}
