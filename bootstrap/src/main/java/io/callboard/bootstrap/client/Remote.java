package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.Fault;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base of the client commands: address of the node, REST calls, output. */
abstract class Remote implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description =
          "Address of the node (default: ${DEFAULT-VALUE}; environment variable CALLBOARD_URL).")
  String url = "http://127.0.0.1:8080";

  @Option(names = "--json", description = "Prints the answer as JSON.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  boolean help;

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /** Refusal of a request by a node. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String code;

    RefusedException(String code, String message) {
      super(message);
      this.code = code;
    }

    /** The {@code code} of the problem; empty if the node gave none. */
    String code() {
      return code;
    }
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  JsonNode post(String path, @Nullable Object body) throws IOException, InterruptedException {
    return send(withBody(request(path), "POST", body));
  }

  JsonNode put(String path, Object body) throws IOException, InterruptedException {
    return send(withBody(request(path), "PUT", body));
  }

  private static HttpRequest.Builder withBody(
      HttpRequest.Builder request, String method, @Nullable Object body) {
    return body == null
        ? request.method(method, HttpRequest.BodyPublishers.noBody())
        : request
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
  }

  String text(String path) throws IOException, InterruptedException {
    return new String(bytes(request(path).GET()), StandardCharsets.UTF_8);
  }

  /** A segment of a path, or a value of the query, as it is written in an address. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String path) {
    try {
      return HttpRequest.newBuilder(URI.create(url + "/api/v1" + path)).timeout(LIMIT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"%s\" is not an address: use http://HOST:PORT".formatted(url), e);
    }
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return Json.parse("the answer of the node", bytes(request));
  }

  private byte[] bytes(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response;
    try {
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (java.net.ConnectException | java.net.http.HttpConnectTimeoutException e) {
      throw new IOException(
          "no node answers at %s; start one with bootstrap/bin/callboard, or name it with --url"
              .formatted(url),
          e);
    } catch (IOException e) {
      throw new IOException("the node at %s did not answer: %s".formatted(url, e.getMessage()), e);
    }
    if (response.statusCode() >= 300) {
      throw refused(response);
    }
    return response.body();
  }

  private static RefusedException refused(HttpResponse<byte[]> response) {
    JsonNode problem;
    try {
      problem = Json.parse("the answer of the node", response.body());
    } catch (CodecException e) {
      return new RefusedException(
          "",
          "the node at %s answered with HTTP status %d"
              .formatted(response.uri().resolve("/"), response.statusCode()));
    }
    return new RefusedException(problem.path("code").asText(), sentence(problem));
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

  CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec;
  }

  void print(String line) {
    spec().commandLine().getOut().println(line);
    spec().commandLine().getOut().flush();
  }

  /** Prints without ending the line. */
  void write(String text) {
    spec().commandLine().getOut().print(text);
    spec().commandLine().getOut().flush();
  }
}
