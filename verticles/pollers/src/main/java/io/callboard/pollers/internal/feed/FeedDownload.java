package io.callboard.pollers.internal.feed;

import io.callboard.pollers.source.SourceException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Download of a feed's document, unless it has not changed. Used on one context. */
final class FeedDownload {
  private static final Duration CONNECT = Duration.ofSeconds(4);

  /** Time for all of it, with redirects. */
  private static final Duration LIMIT = Duration.ofSeconds(8);

  private static final int GONE = 410;

  private final Vertx vertx;
  private final FeedSettings settings;
  private final Time time;
  private final HttpClient client;
  private Validators last = Validators.NONE;

  FeedDownload(Vertx vertx, FeedSettings settings, Time time) {
    this.vertx = vertx;
    this.settings = settings;
    this.time = time;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) CONNECT.toMillis())
                .setDecompressionSupported(true));
  }

  /** Validators by which a server recognises a document. */
  record Validators(@Nullable String tag, @Nullable String modified) {
    /** Validators without a document. */
    static final Validators NONE = new Validators(null, null);
  }

  /** Document with what its server said about it. */
  record Document(Buffer content, @Nullable String contentType, Validators validators) {}

  /**
   * Downloads the document; completes with null if it has not changed since the last one that was
   * {@link #accept}ed.
   */
  Future<@Nullable Document> run() {
    Promise<@Nullable Document> result = Promise.promise();
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setAbsoluteURI(settings.url().toString())
            .setFollowRedirects(true)
            .setIdleTimeout(LIMIT.toMillis());
    client
        .request(options)
        .onFailure(cause -> fail(result, cause))
        .onSuccess(request -> send(request, result));
    Time.Alarm alarm =
        time.after(
            vertx.getOrCreateContext(),
            LIMIT,
            () ->
                fail(
                    result,
                    new SourceException("no answer within %ds".formatted(LIMIT.toSeconds()))));
    return result.future().onComplete(done -> alarm.cancel());
  }

  private static void fail(Promise<?> result, Throwable cause) {
    boolean unused = result.tryFail(cause);
  }

  private void send(HttpClientRequest request, Promise<@Nullable Document> result) {
    request.putHeader(HttpHeaders.USER_AGENT, settings.userAgent());
    request.putHeader(
        HttpHeaders.ACCEPT, "application/atom+xml, application/rss+xml, application/xml, text/xml");
    if (last.tag() != null) {
      request.putHeader(HttpHeaders.IF_NONE_MATCH, last.tag());
    }
    if (last.modified() != null) {
      request.putHeader(HttpHeaders.IF_MODIFIED_SINCE, last.modified());
    }
    result.future().onFailure(cause -> request.reset().onFailure(ended -> {}));
    request
        .send()
        .onFailure(cause -> fail(result, cause))
        .onSuccess(response -> receive(response, result));
  }

  private void receive(HttpClientResponse response, Promise<@Nullable Document> result) {
    response.exceptionHandler(cause -> fail(result, cause));
    if (response.statusCode() == 304 && !last.equals(Validators.NONE)) {
      response.endHandler(v -> result.tryComplete(null));
      return;
    } else if (response.statusCode() != 200) {
      fail(result, refusal(response));
      return;
    }
    Buffer content = Buffer.buffer();
    response.handler(
        part -> {
          if (content.length() + (long) part.length() > settings.maxSize()) {
            String most = "it has more than %,d bytes (setting maxSize)";
            fail(result, new SourceException(most.formatted(settings.maxSize())));
          } else if (!result.future().isComplete()) {
            content.appendBuffer(part);
          }
        });
    response.endHandler(
        v ->
            result.tryComplete(
                new Document(
                    content,
                    response.getHeader(HttpHeaders.CONTENT_TYPE),
                    new Validators(
                        response.getHeader(HttpHeaders.ETAG),
                        response.getHeader(HttpHeaders.LAST_MODIFIED)))));
  }

  private SourceException refusal(HttpClientResponse response) {
    String answer =
        "its server answers %d %s".formatted(response.statusCode(), response.statusMessage());
    boolean isGone = response.statusCode() == GONE;
    Duration after =
        RetryAfter.of(response.getHeader(HttpHeaders.RETRY_AFTER), time.clock().instant());
    Duration least = isGone ? FeedSettings.LONGEST_PERIOD : settings.period();
    return new SourceException(answer, null, after.compareTo(least) > 0 ? after : least);
  }

  /** Records that a document could be read, so that it need not come again. */
  void accept(Validators its) {
    last = its;
  }

  /** Returns the validators of the last accepted document. */
  Validators accepted() {
    return last;
  }

  Future<Void> close() {
    return client.close();
  }
}
