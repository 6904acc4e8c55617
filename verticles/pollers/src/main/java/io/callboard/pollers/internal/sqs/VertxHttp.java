package io.callboard.pollers.internal.sqs;

import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/**
 * HTTP client of the SDK on that of Vert.x, so that it has no threads of its own. Requests and
 * answers are whole in memory, which the sizes of SQS permit; what the SDK does with an answer runs
 * on a worker thread.
 */
final class VertxHttp implements SdkAsyncHttpClient {
  private static final int CONNECT_MS = 3_000;
  private static final int MOST_CONNECTIONS = 32;
  private static final int MOST_WAITING = 1_000;
  private static final int MOST_BYTES = 32 << 20;

  /** Longer than a request waits for messages; also ends one whose server says nothing. */
  private static final int IDLE_SECONDS = 6;

  private final Vertx vertx;
  private final HttpClient client;

  VertxHttp(Vertx vertx) {
    this.vertx = vertx;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(CONNECT_MS)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS),
            new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS).setMaxWaitQueueSize(MOST_WAITING));
  }

  @Override
  public String clientName() {
    return "Vertx";
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest execute) {
    SdkAsyncHttpResponseHandler handler = execute.responseHandler();
    return Bodies.collected(execute.requestContentPublisher())
        .compose(body -> onContext(execute.request(), body))
        .recover(cause -> Future.failedFuture(retriable(cause)))
        .compose(answer -> vertx.executeBlocking(() -> handled(handler, answer), false))
        .onFailure(handler::onError)
        .toCompletionStage()
        .toCompletableFuture();
  }

  /** Returns a failure that the SDK takes for one of the network, and tries again. */
  private static IOException retriable(Throwable cause) {
    return cause instanceof IOException already
        ? already
        : new IOException(Causes.message(cause), cause);
  }

  /** Answer with its whole content. */
  private record Answer(SdkHttpResponse head, Buffer body) {}

  @SuppressWarnings("NullAway") // the SDK wants no value
  private static Void handled(SdkAsyncHttpResponseHandler handler, Answer answer) {
    handler.onHeaders(answer.head);
    handler.onStream(Bodies.published(ByteBuffer.wrap(answer.body.getBytes())));
    return null;
  }

  /** Sends on an event loop, and not on the SDK's thread, which an answer would not wait for. */
  private Future<Answer> onContext(SdkHttpRequest request, Buffer body) {
    Promise<Answer> answer = Promise.promise();
    // composed, since a client that is closed throws
    vertx
        .getOrCreateContext()
        .runOnContext(
            v -> Future.succeededFuture().compose(now -> sent(request, body)).onComplete(answer));
    return answer.future();
  }

  private Future<Answer> sent(SdkHttpRequest request, Buffer body) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(request.method().name()))
            .setHost(request.host())
            .setPort(request.port())
            .setSsl("https".equals(request.protocol()))
            .setURI(
                request.encodedPath()
                    + request.encodedQueryParameters().map(query -> "?" + query).orElse(""));
    request.forEachHeader((name, values) -> options.putHeader(name, new ArrayList<>(values)));
    return client.request(options).compose(opened -> opened.send(body)).compose(VertxHttp::answer);
  }

  private static Future<Answer> answer(HttpClientResponse response) {
    Promise<Answer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    response
        .handler(
            part -> {
              if (body.length() + part.length() <= MOST_BYTES) {
                body.appendBuffer(part);
              } else if (whole.tryFail(
                  new IOException("the answer has more than %,d bytes".formatted(MOST_BYTES)))) {
                HttpClientRequest request = response.request();
                boolean unused = request.reset().succeeded();
              }
            })
        .exceptionHandler(whole::tryFail)
        .endHandler(v -> whole.tryComplete(new Answer(head(response), body)));
    return whole.future();
  }

  private static SdkHttpResponse head(HttpClientResponse response) {
    SdkHttpFullResponse.Builder head =
        SdkHttpFullResponse.builder()
            .statusCode(response.statusCode())
            .statusText(response.statusMessage());
    for (Map.Entry<String, String> header : response.headers()) {
      head.appendHeader(header.getKey(), header.getValue());
    }
    return head.build();
  }

  @Override
  public void close() {
    Future<Void> unused = client.close();
  }
}
