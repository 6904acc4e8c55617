package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Client of the REST API of one node. Blocks; a request takes half a minute at most.
 *
 * <p>It uses {@link HttpURLConnection} because {@code java.net.http} loads TLS and its thread pools
 * for the shortest request, which a command that lives for a moment waits for.
 */
final class NodeClient {
  private static final int CONNECT_MS = (int) Duration.ofSeconds(5).toMillis();
  private static final int READ_MS = (int) Duration.ofSeconds(30).toMillis();

  private static final String JSON = "application/json";

  private final String url;
  private final Map<String, String> headers;

  /** Creates a client for the node at this address that sends no header of its own. */
  NodeClient(String url) {
    this(url, Map.of());
  }

  /**
   * Creates a client for the node at this address.
   *
   * @param headers headers of every request
   */
  NodeClient(String url, Map<String, String> headers) {
    this.url = url;
    this.headers = Map.copyOf(headers);
  }

  /** Answer of a node. */
  record Answer(int status, byte[] body, HttpURLConnection from) {
    /** Returns the number in a header; 0 if it is missing. */
    long number(String header) {
      return from.getHeaderFieldLong(header, 0);
    }

    /** Returns a header; empty if it is missing. */
    String header(String name) {
      String value = from.getHeaderField(name);
      return value == null ? "" : value;
    }
  }

  /** Refusal of a request by a node. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String code;

    RefusedException(String code, String message) {
      super(message);
      this.code = code;
    }

    /** Returns the {@code code} of the problem; empty if the node gave none. */
    String code() {
      return code;
    }
  }

  /**
   * Sends a request.
   *
   * @param path path below the API, with its query
   * @param body value that is sent as JSON; null for none
   * @throws RefusedException if the node answers with a problem
   * @throws IOException if it does not answer
   */
  Answer send(String method, String path, @Nullable Object body) throws IOException {
    return send(
        method,
        path,
        body == null ? new byte[0] : Json.bytes(body),
        method.equals("GET") ? "" : JSON); // a write without a body, too
  }

  /**
   * Sends a request, as {@link #send(String, String, Object)}.
   *
   * @param content the body
   * @param mediaType its media type; empty if there is none
   */
  Answer send(String method, String path, byte[] content, String mediaType) throws IOException {
    HttpURLConnection connection = connection(path);
    connection.setRequestMethod(method);
    Answer answer;
    try {
      connect(connection, method, content, mediaType);
      answer = answer(connection);
    } catch (NoNodeException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("the node at %s did not answer: %s".formatted(url, e.getMessage()), e);
    }
    if (answer.status() >= 300) {
      throw refused(answer);
    }
    return answer;
  }

  private HttpURLConnection connection(String path) throws IOException {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(url + "/api/v1" + path).toURL().openConnection();
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout(READ_MS);
      connection.setInstanceFollowRedirects(false);
      return connection;
    } catch (IllegalArgumentException | java.net.MalformedURLException | ClassCastException e) {
      throw new IllegalArgumentException(
          "\"%s\" is not an address: use http://HOST:PORT".formatted(url), e);
    }
  }

  private void connect(
      HttpURLConnection connection, String method, byte[] content, String mediaType)
      throws IOException {
    headers.forEach(connection::setRequestProperty);
    if (!mediaType.isEmpty()) {
      connection.setRequestProperty("Content-Type", mediaType);
    }
    if (!method.equals("GET")) {
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(content.length); // else a POST may be sent twice
    }
    try {
      connection.connect();
    } catch (IOException e) {
      throw new NoNodeException(url, e);
    }
    if (!method.equals("GET")) {
      try (OutputStream out = connection.getOutputStream()) {
        out.write(content);
      }
    }
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    try (InputStream in =
        status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
      return new Answer(status, in == null ? new byte[0] : in.readAllBytes(), connection);
    }
  }

  /** Failure to reach a node at all. */
  private static final class NoNodeException extends IOException {
    private static final long serialVersionUID = 1L;

    NoNodeException(String url, IOException cause) {
      super(
          "no node answers at %s; start one with bootstrap/bin/callboard, or name it with --url or CALLBOARD_URL"
              .formatted(url),
          cause);
    }
  }

  private RefusedException refused(Answer answer) {
    JsonNode problem;
    try {
      problem = Json.parse("the answer of the node", answer.body());
    } catch (CodecException e) {
      if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) { // to a write: the JDK drops it
        String code = Kind.UNAUTHENTICATED.name();
        String why =
            isLoggedIn() ? "the node refuses the login that was given" : "this needs a login";
        return new RefusedException(code, why + remedy(code));
      }
      return new RefusedException(
          "", "the node at %s answered with HTTP status %d".formatted(url, answer.status()));
    }
    String code = problem.path("code").asText();
    return new RefusedException(code, sentence(problem) + remedy(code));
  }

  private boolean isLoggedIn() {
    return headers.containsKey("Authorization");
  }

  private String remedy(String code) {
    return code.equals(Kind.UNAUTHENTICATED.name()) && !isLoggedIn()
        ? "; log in with --user or --token-file (CALLBOARD_USER, CALLBOARD_TOKEN)"
        : "";
  }

  /** Returns one line for a problem, whose detail repeats the first of its errors. */
  static String sentence(JsonNode problem) {
    List<String> errors = new ArrayList<>();
    for (JsonNode error : problem.path("errors")) {
      errors.add(
          new Fault(error.path("pointer").asText(), error.path("detail").asText()).sentence());
    }
    return errors.isEmpty()
        ? problem.path("detail").asText(problem.path("title").asText("refused"))
        : String.join("; ", errors);
  }
}
