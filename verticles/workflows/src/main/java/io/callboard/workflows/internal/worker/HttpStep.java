package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.JsonFault;
import io.callboard.supervision.Causes;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Code of {@code http} steps: one request, of which the output is {@code {status, headers, body}}.
 *
 * <p>Parameters: {@code url} (http or https), {@code method} (GET), {@code headers}, {@code body}
 * (text, or JSON), {@code expect} (2xx), {@code timeout} (PT30S). A body of JSON is output as such,
 * any other as text, up to a limit over which the step fails. Redirects to the same host are
 * followed, up to {@value #MOST_REDIRECTS} for GET and HEAD; one to another host is the response.
 * Requests that change something carry an {@code Idempotency-Key}.
 *
 * <p>An unexpected status of 4xx fails for good, except 408, 425 and 429, which may pass like those
 * of 5xx and failures of the network.
 */
public final class HttpStep implements AttemptCode {
  private static final int MOST_REDIRECTS = 5;
  private static final int MOST_HEADERS = 50;
  private static final int MOST_CONNECTIONS = 100;
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);
  private static final ObjectMapper JSON = // whose decimals keep every digit
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final HttpClient client;
  private final HostAddresses addresses;
  private final HttpStepOptions options;

  /** Creates the code, with a client of its own. */
  public HttpStep(Vertx vertx, HttpStepOptions options) {
    this.options = options;
    this.addresses = new HostAddresses(vertx, options);
    this.client =
        vertx
            .httpClientBuilder()
            .with(
                new HttpClientOptions()
                    .setConnectTimeout((int) CONNECT.toMillis())
                    .setDecompressionSupported(false)
                    .setVerifyHost(true))
            .with(new io.vertx.core.http.PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS))
            .build();
  }

  /** Closes the client. */
  public Future<Void> close() {
    return client.close();
  }

  @Override
  public boolean readsOutputs() {
    return false;
  }

  @Override
  public Future<@Nullable JsonNode> run(Attempt attempt) {
    HttpCall call = HttpCall.of(attempt.request().with());
    return send(call, attempt, MOST_REDIRECTS).map(output -> output);
  }

  private Future<JsonNode> send(HttpCall call, Attempt attempt, int redirects) {
    Promise<Void> over = Promise.promise(); // what is under way then ends, though it goes well
    return addresses
        .of(call.url().getHost())
        .compose(address -> client.request(options(call, address)))
        .compose(request -> exchange(request, call, attempt, over.future()))
        .timeout(call.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(over::fail)
        .recover(cause -> Future.failedFuture(readable(cause, call, attempt)))
        .compose(
            response -> {
              URI next = redirect(response, call, redirects);
              return next == null
                  ? output(response, call)
                  : send(call.at(next), attempt, redirects - 1);
            });
  }

  private static RequestOptions options(HttpCall call, InetAddress address) {
    return new RequestOptions()
        .setServer(SocketAddress.inetSocketAddress(call.port(), address.getHostAddress()))
        .setHost(call.url().getHost())
        .setPort(call.port())
        .setSsl(call.isTls())
        .setMethod(call.method())
        .setURI(call.target())
        .setFollowRedirects(false)
        .setConnectTimeout(CONNECT.toMillis())
        .setIdleTimeout(call.timeout().toMillis());
  }

  /**
   * Response that was read.
   *
   * @param head status and headers
   * @param body its body
   */
  private record Exchange(HttpClientResponse head, Buffer body) {}

  private Future<Exchange> exchange(
      HttpClientRequest request, HttpCall call, Attempt attempt, Future<Void> over) {
    over.onFailure(cause -> request.reset());
    if (over.failed()) {
      return Future.failedFuture(over.cause());
    }
    call.headers().forEach(request::putHeader);
    boolean changes = !Set.of("GET", "HEAD", "OPTIONS").contains(call.method().name());
    if (changes && !request.headers().contains("Idempotency-Key")) {
      request.putHeader("Idempotency-Key", attempt.request().idempotencyKey());
    }
    attempt.cancelled().onSuccess(v -> request.reset());
    Future<HttpClientResponse> response =
        call.body().isPresent() ? request.send(call.body().get()) : request.send();
    return response.compose(
        head -> body(head, call.method()).map(body -> new Exchange(head, body)));
  }

  private Future<Buffer> body(HttpClientResponse head, HttpMethod method) {
    Promise<Buffer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    head.exceptionHandler(whole::tryFail)
        .endHandler(v -> whole.tryComplete(body))
        .handler(
            part -> {
              if (body.length() + part.length() > options.mostBytes()) {
                boolean unused =
                    whole.tryFail(
                        new PermanentStepException(
                            "the response has more than %,d bytes".formatted(options.mostBytes())));
              } else {
                body.appendBuffer(part);
              }
            });
    return whole.future();
  }

  /** Returns where a response redirects to, if that is on the same host; null otherwise. */
  private static @Nullable URI redirect(Exchange response, HttpCall call, int redirects) {
    String location = response.head().getHeader("Location");
    int status = response.head().statusCode();
    boolean may = call.method() == HttpMethod.GET || call.method() == HttpMethod.HEAD;
    if (location == null || status < 301 || status > 308 || !may || call.expects(status)) {
      return null;
    }
    URI next = HttpCall.url(call.url().resolve(location).toString());
    HttpCall there = call.at(next);
    boolean same =
        next.getHost().equalsIgnoreCase(call.url().getHost())
            && there.port() == call.port()
            && there.isTls() == call.isTls();
    if (same && redirects == 0) {
      throw new PermanentStepException("%s redirects too often".formatted(call.url()));
    }
    return same ? next : null;
  }

  private static Future<JsonNode> output(Exchange response, HttpCall call) {
    int status = response.head().statusCode();
    if (!call.expects(status)) {
      String what =
          "%s %s answered %d: %.300s"
              .formatted(call.method(), call.url(), status, response.body().toString());
      boolean forGood = status >= 300 && status < 500 && !PASSING.contains(status);
      return Future.failedFuture(
          forGood ? new PermanentStepException(what) : new HttpStepException(what));
    }
    ObjectNode output = JsonNodeFactory.instance.objectNode().put("status", status);
    ObjectNode headers = output.putObject("headers");
    response.head().headers().names().stream()
        .limit(MOST_HEADERS)
        .forEach(
            name ->
                headers.put(
                    name.toLowerCase(Locale.ROOT),
                    String.join(", ", response.head().headers().getAll(name))));
    output.set("body", body(response));
    return Future.succeededFuture(output);
  }

  private static JsonNode body(Exchange response) {
    String type = response.head().getHeader("Content-Type");
    String text = response.body().toString();
    if (type != null && type.matches("(?i)application/([a-z.+-]+\\+)?json.*")) {
      try {
        JsonNode json = JSON.readTree(text);
        return json.isMissingNode() ? JsonNodeFactory.instance.nullNode() : json;
      } catch (StreamConstraintsException e) { // as text it would not be what was asked for
        throw new PermanentStepException(
            "the body of the response cannot be read: " + JsonFault.why(e));
      } catch (NumberFormatException e) {
        throw new PermanentStepException(
            "the body of the response cannot be read: the exponent of a number in it is too large");
      } catch (JsonProcessingException e) {
        return JsonNodeFactory.instance.textNode(text); // it is shown as it came
      }
    }
    return JsonNodeFactory.instance.textNode(text);
  }

  private static Throwable readable(Throwable cause, HttpCall call, Attempt attempt) {
    if (cause instanceof PermanentStepException || cause instanceof HttpStepException) {
      return cause;
    }
    String what = "%s %s".formatted(call.method(), call.url());
    if (attempt.cancelled().isComplete()) {
      return new HttpStepException(what + " was cancelled");
    }
    String why =
        cause instanceof TimeoutException
            ? "no answer within " + call.timeout()
            : Causes.message(cause);
    return new HttpStepException("%s failed: %s".formatted(what, why));
  }
}
