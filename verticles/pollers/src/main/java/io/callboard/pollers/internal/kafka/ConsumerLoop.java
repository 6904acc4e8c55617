package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop of the one thread that uses a consumer: polls it all the time, so that the group keeps it,
 * with partitions paused from which nothing is wanted now, and carries out the source's calls
 * between two polls.
 */
final class ConsumerLoop implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLoop.class);

  /** Time that a poll of the source waits for the first message. */
  private static final Duration POLL = Duration.ofMillis(1_500);

  /** Length of a turn in which nothing is wanted. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final KafkaSettings settings;
  private final Consumer<byte[], byte[]> consumer;
  private final Time time;
  private final HeldRecords taken;
  private final InitialOffsets beginnings;
  private final RetryPurge purge;
  private final ArrayDeque<CompletableFuture<Void>> acknowledged = new ArrayDeque<>();
  private @Nullable Asked asked;

  /** A poll of the source. */
  private record Asked(
      int most, long sinceNanos, CompletableFuture<List<SourceMessage>> messages) {}

  /**
   * Creates the loop.
   *
   * @param prefix what the ids of the topic's messages begin with
   */
  ConsumerLoop(
      KafkaSettings settings,
      Consumer<byte[], byte[]> consumer,
      RetryPurge purge,
      String prefix,
      Time time) {
    this.purge = purge;
    this.settings = settings;
    this.consumer = consumer;
    this.time = time;
    this.taken = new HeldRecords(settings.retryTopic(), settings.window(), prefix);
    this.beginnings = new InitialOffsets(settings, consumer, ANSWER);
  }

  void subscribe() {
    consumer.subscribe(Set.of(settings.topic(), settings.retryTopic()), this);
  }

  HeldRecords taken() {
    return taken;
  }

  // what the source asks for

  void ask(int most, CompletableFuture<List<SourceMessage>> messages) {
    if (asked != null) {
      messages.completeExceptionally(new IllegalStateException("a poll is under way"));
      return;
    }
    asked = new Asked(most, time.nanoTime(), messages);
  }

  /**
   * Marks deliveries done; the future completes when this turn has committed the offsets that may
   * be committed.
   */
  void done(Collection<String> receipts, CompletableFuture<Void> committed) {
    receipts.forEach(taken::done);
    acknowledged.add(committed);
  }

  /** Returns how many messages of the own partitions have not been delivered. */
  OptionalLong lag() {
    Set<TopicPartition> own = taken.thatHaveBegun(true);
    if (own.isEmpty()) {
      return OptionalLong.empty();
    }
    Map<TopicPartition, Long> ends = awake(() -> consumer.endOffsets(own, ANSWER));
    long waiting = taken.waiting();
    for (TopicPartition each : own) {
      long at = awake(() -> consumer.position(each, ANSWER));
      waiting += Math.max(0, ends.getOrDefault(each, at) - at);
    }
    return OptionalLong.of(waiting);
  }

  // one turn

  /** Commits, answers the poll that waits, and returns how long the consumer may be polled. */
  Duration serve() {
    commit();
    begin();
    purge.run();
    Asked poll = asked;
    if (poll == null) {
      return IDLE;
    }
    Instant now = time.clock().instant();
    List<SourceMessage> messages = taken.take(poll.most(), now);
    Duration left = POLL.minusNanos(time.nanoTime() - poll.sinceNanos());
    if (!messages.isEmpty()) {
      asked = null;
      poll.messages().complete(messages);
      return Duration.ZERO;
    } else if (left.isNegative() || left.isZero()) {
      asked = null;
      answerNone(poll);
      return Duration.ZERO;
    }
    Duration untilDue = taken.dueAt().map(due -> Duration.between(now, due)).orElse(left);
    return untilDue.compareTo(left) < 0 ? untilDue : left;
  }

  /** Begins the delivery of new partitions, once it is committed where they begin. */
  private void begin() {
    Set<TopicPartition> added = taken.thatHaveBegun(false);
    if (added.isEmpty()) {
      return;
    }
    try {
      var unused =
          awake(
              () -> {
                beginnings.commit(added);
                return added;
              });
      taken.begun(added);
    } catch (RebalanceInProgressException | CommitFailedException e) {
      LOG.debug("{}: with the next poll of the consumer the group assigns anew", settings, e);
    } catch (KafkaException e) {
      LOG.warn("{}: it cannot be committed where {} begin", settings, added, e);
      Asked poll = asked;
      asked = null;
      if (poll != null) {
        poll.messages().completeExceptionally(failure("cannot commit where it begins", e));
      }
    }
  }

  /** A consumer says nothing if its brokers are away, so they are asked before "none". */
  private void answerNone(Asked poll) {
    try {
      var unused =
          awake(() -> consumer.endOffsets(Set.of(new TopicPartition(settings.topic(), 0)), ANSWER));
      poll.messages().complete(List.of());
    } catch (KafkaException e) {
      poll.messages().completeExceptionally(failure("gives nothing", e));
    }
  }

  /**
   * Polls the consumer.
   *
   * @param wait how long at most
   */
  void fetch(Duration wait) {
    Set<TopicPartition> wanted = asked == null ? Set.of() : taken.wanted();
    Set<TopicPartition> own = consumer.assignment();
    consumer.pause(own.stream().filter(each -> !wanted.contains(each)).toList());
    consumer.resume(own.stream().filter(wanted::contains).toList());
    ConsumerRecords<byte[], byte[]> records;
    try {
      records = consumer.poll(wait);
    } catch (WakeupException e) {
      return; // there is something to do
    }
    for (TopicPartition each : taken.read(records)) {
      String what =
          "%s begins again at an earlier offset: its broker has lost records".formatted(each);
      if (each.topic()
          .equals(settings.topic())) { // what is opened next looks whether it is another
        throw new SourceException(what + ", or it was made again");
      }
      LOG.warn("{}: {}", settings, what);
    }
  }

  /** Commits what may be, if an acknowledgement waits for it. */
  private void commit() {
    if (acknowledged.isEmpty()) {
      return;
    }
    try {
      commit(taken.partitions());
    } catch (RebalanceInProgressException e) {
      return; // the next poll of the consumer ends it
    } catch (KafkaException e) {
      failAcknowledgements(failure("cannot commit", e));
      return;
    }
    while (!acknowledged.isEmpty()) {
      acknowledged.remove().complete(null);
    }
  }

  private void failAcknowledgements(SourceException failure) {
    while (!acknowledged.isEmpty()) {
      acknowledged.remove().completeExceptionally(failure);
    }
  }

  private void commit(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = taken.committable(partitions);
    if (!offsets.isEmpty()) {
      var unused =
          awake(
              () -> {
                consumer.commitSync(offsets, ANSWER);
                return offsets;
              });
      taken.committed(offsets);
      purge.committed(offsets);
    }
  }

  /** Repeats a call that only a wake-up for an earlier poll has ended. */
  private static <T> T awake(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (WakeupException e) {
        LOG.trace("Woken up late", e);
      }
    }
  }

  // the group

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    taken.assigned(partitions);
    consumer.pause(partitions); // until it is committed where they begin,
    consumer.wakeup(); // at once
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      commit(partitions);
    } catch (KafkaException e) {
      LOG.warn("{}: what is done of {} comes again", settings, partitions, e);
    }
    taken.revoked(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("{}: partitions {} were lost; what is open of them comes again", settings, partitions);
    taken.revoked(partitions);
  }

  /** Fails all that waits for an answer. */
  void end(SourceException failure) {
    failAcknowledgements(failure);
    Asked poll = asked;
    asked = null;
    if (poll != null) {
      poll.messages().completeExceptionally(failure);
    }
  }

  private SourceException failure(String what, Throwable cause) {
    return new SourceException("%s %s: %s".formatted(settings, what, cause), cause);
  }
}
