package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.Settings;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Kind {@code sqs}: a queue of Amazon SQS, or of a server that speaks its protocol.
 *
 * <p>Its settings:
 *
 * <ul>
 *   <li>{@code queue}: name or URL of the queue
 *   <li>{@code deadLetterQueue}: name or URL of the queue for what is set aside, by default {@code
 *       QUEUE-dead}, or {@code NAME-dead.fifo}
 *   <li>{@code create}: whether queues that are not there are made, by default false
 *   <li>{@code region}, {@code accessKeyId}, {@code secretAccessKey}, {@code sessionToken}: where
 *       and who to be; by default what the SDK finds: environment, profile, role of the machine
 *   <li>{@code endpoint}: URL of another server than Amazon's
 *   <li>{@code id}: attribute with the id that the sender gave; without it, and in messages that
 *       lack it, the id is that of SQS. Set it if the sender repeats itself, as Callboard does,
 *       which sends its ids as {@code id}
 *   <li>{@code lease}: visibility timeout of what is taken, in whole seconds, by default {@code
 *       PT1M}
 * </ul>
 *
 * <p>The role or user needs {@code sqs:ReceiveMessage}, {@code DeleteMessage}, {@code
 * ChangeMessageVisibility}, {@code GetQueueUrl} and {@code GetQueueAttributes} on the queue, and
 * {@code SendMessage} on the one for the dead and where messages are sent. If the queue has a
 * redrive policy of its own, its {@code maxReceiveCount} must be greater than the attempts of the
 * source, or SQS sets messages aside first, without a cause.
 */
public final class SqsKind implements SourceKind {
  private final Duration shortestLease;

  /** Creates the kind. */
  public SqsKind() {
    this(Settings.SHORTEST_LEASE);
  }

  SqsKind(Duration shortestLease) {
    this.shortestLease = shortestLease;
  }

  @Override
  public String name() {
    return "sqs";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("software.amazon.awssdk:sqs");
  }

  @Override
  public void check(JsonObject settings) {
    SqsSettings unused = SqsSettings.of(settings, shortestLease);
  }

  @Override
  public Source create(SourceContext its) {
    return new SqsSource(
        its.vertx(), its.name(), SqsSettings.of(its.settings(), shortestLease), Time.SYSTEM);
  }

  /** Returns the time limit of a call, in which the SDK tries twice. */
  @Override
  public Duration patience() {
    return Duration.ofSeconds(20);
  }
}
