package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.SourceException;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Calls of SQS: begun on a worker thread, because the SDK may read files or ask for a key then; the
 * result comes on the context of the caller.
 */
final class SqsCalls {
  private static final int ATTEMPTS = 2;
  private static final int MOST_URLS = 1_000;

  private final Vertx vertx;
  private final SqsAccess access;
  private final VertxHttp http;
  private final Map<String, String> urls = new LinkedHashMap<>();
  private @Nullable SqsAsyncClient client;
  private boolean closed;

  SqsCalls(Vertx vertx, SqsAccess access) {
    this.vertx = vertx;
    this.access = access;
    this.http = new VertxHttp(vertx);
  }

  Future<Void> open() {
    return vertx
        .executeBlocking(this::built, false)
        .recover(cause -> Future.failedFuture(failure("cannot be called", cause)))
        .compose(
            built -> {
              client = built;
              return closed
                  ? end()
                      .compose(
                          v -> Future.failedFuture(new SourceException(access + ": it was closed")))
                  : Future.succeededFuture();
            });
  }

  private SqsAsyncClient built() {
    SqsAsyncClientBuilder builder =
        SqsAsyncClient.builder()
            .httpClient(http)
            .credentialsProvider(credentials())
            .overrideConfiguration(
                config -> config.retryStrategy(retry -> retry.maxAttempts(ATTEMPTS)))
            .asyncConfiguration(
                config ->
                    config.advancedOption(
                        SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
    if (access.region() != null) {
      builder.region(Region.of(access.region()));
    }
    if (access.endpoint() != null) {
      builder.endpointOverride(access.endpoint());
    }
    return builder.build();
  }

  private AwsCredentialsProvider credentials() {
    if (access.key() == null) {
      return DefaultCredentialsProvider.builder().build();
    }
    AwsCredentials credentials =
        access.token() == null
            ? AwsBasicCredentials.create(access.key(), access.secret())
            : AwsSessionCredentials.create(access.key(), access.secret(), access.token());
    return StaticCredentialsProvider.create(credentials);
  }

  /** Calls the service. */
  <T> Future<T> call(String what, Function<SqsAsyncClient, CompletableFuture<T>> call) {
    SqsAsyncClient open = client;
    if (open == null) {
      return Future.failedFuture(new SourceException(access + ": the client is not open"));
    }
    var context = vertx.getOrCreateContext();
    return vertx
        .executeBlocking(() -> call.apply(open), false)
        .compose(running -> Future.fromCompletionStage(running, context))
        .recover(cause -> Future.failedFuture(failure(what, cause)));
  }

  /** Returns the URL of a queue with this name or URL; makes it if it is to be {@code created}. */
  Future<String> url(String queue, boolean created) {
    if (queue.matches("https?://.*")) {
      return Future.succeededFuture(queue);
    } else if (urls.containsKey(queue)) {
      return Future.succeededFuture(urls.get(queue));
    }
    return call("queue " + queue, sqs -> sqs.getQueueUrl(request -> request.queueName(queue)))
        .map(found -> found.queueUrl())
        .recover(
            failure ->
                created && failure.getCause() instanceof QueueDoesNotExistException
                    ? create(queue)
                    : Future.failedFuture(failure))
        .onSuccess(url -> remember(queue, url));
  }

  private void remember(String queue, String url) {
    if (urls.size() >= MOST_URLS) {
      urls.clear();
    }
    urls.put(queue, url);
  }

  private Future<String> create(String queue) {
    Map<QueueAttributeName, String> attributes =
        SqsSettings.isFifo(queue) ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
    return call(
            "making queue " + queue,
            sqs -> sqs.createQueue(request -> request.queueName(queue).attributes(attributes)))
        .map(made -> made.queueUrl());
  }

  private SourceException failure(String what, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String message = Causes.message(cause);
    return new SourceException("%s: %s: %s".formatted(access, what, message), cause);
  }

  /** Closes the client of the service. */
  Future<Void> close() {
    closed = true;
    return end();
  }

  private Future<Void> end() {
    SqsAsyncClient open = client;
    client = null;
    http.close();
    if (open == null) {
      return Future.succeededFuture();
    }
    return vertx.executeBlocking(
        () -> {
          open.close();
          return null;
        },
        false);
  }

  @Override
  public String toString() {
    return access.toString();
  }
}
