package io.callboard.pollers.internal.sqs;

import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Client of the SDK as it is, for what tests put and look at. */
final class PlainSqs implements AutoCloseable {
  private final SqsAsyncClient client;
  private final VertxHttp http;

  PlainSqs(Vertx vertx, int port) {
    http = new VertxHttp(vertx);
    client =
        SqsAsyncClient.builder()
            .httpClient(http)
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .region(Region.of("elasticmq"))
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .build();
  }

  <T> T call(Function<SqsAsyncClient, CompletableFuture<T>> call) {
    return Futures.await(Future.fromCompletionStage(call.apply(client)));
  }

  /** Makes a queue; returns its URL. */
  String queue(String name) {
    Map<QueueAttributeName, String> attributes =
        name.endsWith(".fifo") ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
    return call(sqs -> sqs.createQueue(queue -> queue.queueName(name).attributes(attributes)))
        .queueUrl();
  }

  /** Returns all messages of a queue that are visible, without taking them. */
  List<Message> messages(String url) {
    List<Message> all = new ArrayList<>();
    List<Message> some;
    do {
      some =
          call(sqs ->
                  sqs.receiveMessage(
                      request ->
                          request
                              .queueUrl(url)
                              .maxNumberOfMessages(10)
                              .visibilityTimeout(60)
                              .messageAttributeNames("All")
                              .messageSystemAttributeNames(MessageSystemAttributeName.ALL)))
              .messages();
      all.addAll(some);
    } while (!some.isEmpty());
    for (Message each : all) {
      call(
          sqs ->
              sqs.changeMessageVisibility(
                  request ->
                      request
                          .queueUrl(url)
                          .receiptHandle(each.receiptHandle())
                          .visibilityTimeout(0)));
    }
    return all;
  }

  @Override
  public void close() {
    client.close();
    http.close();
  }
}
