package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Queue of Amazon SQS; how it works is in the package's description. */
final class SqsSource implements Source {
  private static final Logger log = LoggerFactory.getLogger(SqsSource.class);
  private static final int MOST_A_REQUEST = 10;
  private static final int MOST_REQUESTS = 10;
  private static final int WAIT_SECONDS = 2;
  private static final Duration LEASE_FOR_A_WAIT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_DELAY = Duration.ofHours(11);
  private static final int BAD_REQUEST = 400;

  /**
   * Error codes of SQS for messages that are too large, or have characters that it does not accept.
   */
  private static final Set<String> REFUSALS =
      Set.of("InvalidMessageContents", "InvalidParameterValue", "MessageTooLong");

  private final SqsCalls calls;
  private final SqsDeliveries inFlight;
  private final SqsBatch batch;
  private final String name;
  private final SqsSettings settings;
  private final Vertx vertx;
  private final Time time;
  private String url = "";
  private String deadUrl = "";
  private @Nullable Future<Void> closing;

  SqsSource(Vertx vertx, String name, SqsSettings settings, Time time) {
    this.vertx = vertx;
    this.time = time;
    this.calls = new SqsCalls(vertx, settings.access());
    this.inFlight = new SqsDeliveries(vertx, settings.lease(), time);
    this.batch = new SqsBatch(calls, inFlight);
    this.name = name;
    this.settings = settings;
  }

  @Override
  public Future<Void> open() {
    return calls
        .open()
        .compose(v -> calls.url(settings.queue(), settings.create()))
        .onSuccess(found -> url = found)
        .compose(v -> calls.url(settings.deadLetterQueue(), settings.create()))
        .onSuccess(found -> deadUrl = found)
        .compose(v -> waiting(url))
        .compose(v -> waiting(deadUrl)) // it is there, too
        .mapEmpty();
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    int first = Math.min(most, MOST_A_REQUEST);
    return first(first)
        .compose(
            taken ->
                taken.size() < MOST_A_REQUEST
                    ? Future.succeededFuture(taken)
                    : more(taken, most - MOST_A_REQUEST));
  }

  /** A lease counts from the request, so one that is short does not begin with a wait. */
  private Future<List<SourceMessage>> first(int most) {
    if (settings.lease().compareTo(LEASE_FOR_A_WAIT) >= 0) {
      return receive(most, WAIT_SECONDS);
    }
    return receive(most, 0)
        .compose(taken -> taken.isEmpty() ? receiveLater(most) : Future.succeededFuture(taken));
  }

  private Future<List<SourceMessage>> receiveLater(int most) {
    return time.pause(vertx.getOrCreateContext(), PAUSE).compose(v -> receive(most, 0));
  }

  /**
   * Asks at once for more, if the first answer was full: then there are many. For less, if they are
   * large: SQS does not say how large the next ones are.
   */
  private Future<List<SourceMessage>> more(List<SourceMessage> taken, int most) {
    List<Future<List<SourceMessage>>> requests = new ArrayList<>();
    int left = most;
    long bytes = taken.stream().mapToLong(SourceMessage::bytes).sum();
    long largest = taken.stream().mapToLong(SourceMessage::bytes).max().orElse(0);
    long fitting = (MOST_BYTES - bytes) / Math.max(1, largest * MOST_A_REQUEST);
    while (left > 0 && requests.size() < Math.min(MOST_REQUESTS - 1, fitting)) {
      requests.add(receive(Math.min(left, MOST_A_REQUEST), 0));
      left -= MOST_A_REQUEST;
    }
    List<SourceMessage> all = new ArrayList<>(taken);
    return Future.join(requests)
        .onFailure(failure -> log.warn("source {}: a part of a poll failed", name, failure))
        .transform(
            ended -> {
              requests.stream()
                  .filter(Future::succeeded)
                  .forEach(each -> all.addAll(each.result()));
              return Future.succeededFuture(all);
            });
  }

  private Future<List<SourceMessage>> receive(int most, int waitSeconds) {
    ReceiveMessageRequest request =
        ReceiveMessageRequest.builder()
            .queueUrl(url)
            .maxNumberOfMessages(most)
            .waitTimeSeconds(waitSeconds)
            .visibilityTimeout((int) settings.lease().toSeconds())
            .messageAttributeNames("All")
            .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
            .build();
    long askedNanos = time.nanoTime();
    return calls
        .call("receive", sqs -> sqs.receiveMessage(request))
        .map(answer -> taken(answer.messages(), askedNanos));
  }

  private List<SourceMessage> taken(List<Message> messages, long askedNanos) {
    List<String> receipts = inFlight.add(messages, askedNanos);
    List<SourceMessage> taken = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      taken.add(SqsMessages.taken(messages.get(i), receipts.get(i), settings.id()));
    }
    return taken;
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    long askedNanos = time.nanoTime();
    return visible("extend", receipts, settings.lease())
        .onSuccess(lost -> inFlight.extended(receipts, askedNanos));
  }

  /** Makes messages visible after a time; returns those that are not taken any more. */
  private Future<Set<String>> visible(String what, Collection<String> receipts, Duration after) {
    int seconds = (int) after.plusMillis(999).toSeconds();
    return batch.forEach(
        what,
        receipts,
        entries -> {
          ChangeMessageVisibilityBatchRequest request =
              ChangeMessageVisibilityBatchRequest.builder()
                  .queueUrl(url)
                  .entries(
                      SqsBatch.entries(entries, (id, handle) -> visibility(id, handle, seconds)))
                  .build();
          return calls
              .call(what, sqs -> sqs.changeMessageVisibilityBatch(request))
              .map(done -> done.failed());
        });
  }

  private static ChangeMessageVisibilityBatchRequestEntry visibility(
      String id, String handle, int seconds) {
    return ChangeMessageVisibilityBatchRequestEntry.builder()
        .id(id)
        .receiptHandle(handle)
        .visibilityTimeout(seconds)
        .build();
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    return batch
        .forEach("complete", receipts, this::delete)
        .onSuccess(lost -> inFlight.remove(receipts))
        .mapEmpty();
  }

  private Future<List<BatchResultErrorEntry>> delete(Map<String, Message> entries) {
    DeleteMessageBatchRequest request =
        DeleteMessageBatchRequest.builder()
            .queueUrl(url)
            .entries(SqsBatch.entries(entries, SqsSource::deletion))
            .build();
    return calls
        .call("complete", sqs -> sqs.deleteMessageBatch(request))
        .map(done -> done.failed());
  }

  private static DeleteMessageBatchRequestEntry deletion(String id, String handle) {
    return DeleteMessageBatchRequestEntry.builder().id(id).receiptHandle(handle).build();
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    Duration after = delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    return back("fail", List.of(receipt), after);
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    return back("release", receipts, Duration.ZERO);
  }

  private Future<Void> back(String what, Collection<String> receipts, Duration after) {
    return visible(what, receipts, after).onSuccess(lost -> inFlight.remove(receipts)).mapEmpty();
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    Optional<Message> found = inFlight.find(receipt);
    if (found.isEmpty()) {
      return Future.succeededFuture();
    }
    return setAside(found.get(), cause).compose(v -> complete(List.of(receipt)));
  }

  private Future<Void> setAside(Message message, String cause) {
    if (!SqsMessages.hasRoom(message)) {
      return setAsideBare(message, cause);
    }
    return calls
        .call("set aside", sqs -> sqs.sendMessage(SqsMessages.dead(message, deadUrl, cause)))
        .<Void>mapEmpty()
        .recover(
            failure ->
                failure.getCause() instanceof SqsException refused
                        && refused.statusCode() == BAD_REQUEST
                    ? setAsideBare(message, cause)
                    : Future.failedFuture(failure));
  }

  /** Sets aside what has no room for its cause, as when it is as large as SQS permits. */
  private Future<Void> setAsideBare(Message message, String cause) {
    log.warn(
        "source {}: message {} is set aside without its cause, for which it has no room: {}",
        name,
        message.messageId(),
        cause);
    return calls
        .call("set aside", sqs -> sqs.sendMessage(SqsMessages.dead(message, deadUrl, null)))
        .mapEmpty();
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    return calls
        .url(target, settings.create())
        .map(found -> SqsMessages.sent(message, found, settings.idAttribute()))
        .compose(request -> calls.call("send to " + target, sqs -> sqs.sendMessage(request)))
        .recover(failure -> Future.failedFuture(refused(failure)))
        .mapEmpty();
  }

  /** Returns the failure, as a refusal if SQS takes such a message never. */
  private static Throwable refused(Throwable failure) {
    boolean isForGood =
        failure.getCause() instanceof SqsException its
            && its.awsErrorDetails() != null
            && REFUSALS.contains(its.awsErrorDetails().errorCode());
    return isForGood ? new EmissionRefusedException(String.valueOf(failure.getMessage())) : failure;
  }

  @Override
  public Future<OptionalLong> lag() {
    return waiting(url).map(OptionalLong::of);
  }

  private Future<Long> waiting(String queueUrl) {
    return calls
        .call(
            "attributes of " + queueUrl,
            sqs ->
                sqs.getQueueAttributes(
                    request ->
                        request
                            .queueUrl(queueUrl)
                            .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)))
        .map(answer -> answer.attributes().values().stream().mapToLong(Long::parseLong).sum());
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(settings.lease());
  }

  @Override
  public Future<Void> close() {
    if (closing == null) {
      closing = calls.close();
    }
    return closing;
  }
}
