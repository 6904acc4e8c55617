package io.callboard.pollers.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.internal.feed.FeedQueue.Change;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what is offered, and what is remembered for how long. */
class FeedQueueTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final FeedQueue queue = new FeedQueue("client");
  private final Map<String, Long> memory = new HashMap<>();

  private static List<FeedItem> entries(String... ids) {
    return Stream.of(ids).map(id -> new FeedItem(id, Buffer.buffer(id), Map.of(), null)).toList();
  }

  private void offer(FeedQueue to, long today, String... ids) {
    Change change = to.offer(entries(ids), 0, today);
    memory.putAll(change.puts());
    memory.keySet().removeAll(change.removed());
  }

  private List<String> take(FeedQueue from, long nowNanos) {
    return from.take(100, nowNanos).stream().map(SourceMessage::id).toList();
  }

  private void end(SourceMessage message, long today) {
    List<String> receipts = List.of(message.receipt());
    Map<String, Long> puts = queue.ending(receipts, today);
    memory.putAll(puts);
    queue.end(receipts, puts);
  }

  private FeedQueue next() {
    FeedQueue next = new FeedQueue("next");
    next.remember(memory);
    return next;
  }

  @Test
  void anEntryThatIsLeftToTheNextClientKeepsItsDeliveries() {
    offer(queue, 1, "a", "b");
    SourceMessage first = queue.take(1, 0).get(0);
    queue.giveBack(first.receipt(), Duration.ZERO, true, 0);
    assertThat(queue.take(2, 0)).hasSize(2);
    FeedQueue next = next();
    next.resume(queue.open(), 0);
    assertThat(next.take(2, 0))
        .extracting(each -> each.id() + each.deliveries())
        .containsExactlyInAnyOrder("a3", "b2");
  }

  @Test
  void unendedEntriesAreLeftToTheNextClient() {
    offer(queue, 1, "done", "dead", "taken", "waiting");
    List<SourceMessage> taken = queue.take(3, 0);
    end(taken.get(0), 1);
    end(taken.get(1), 1);
    assertThat(memory)
        .containsOnly(Map.entry(FeedQueue.key("done"), 1L), Map.entry(FeedQueue.key("dead"), 1L));
    offer(queue, 1, "done", "dead", "taken", "waiting");
    assertThat(take(queue, 0)).containsExactly("waiting");
    FeedQueue next = next();
    offer(next, 1, "done", "dead", "taken", "waiting");
    assertThat(take(next, 0)).containsExactly("taken", "waiting");
  }

  @Test
  void entriesThatLeaveTheFeedBeforeTheyAreTakenAreKept() {
    offer(queue, 1, "a");
    offer(queue, 1, "b");
    assertThat(take(queue, 0)).containsExactly("a", "b");
  }

  @Test
  void remembersForThirtyDaysAfterTheFeedHasShownItLast() {
    offer(queue, 1, "a");
    end(queue.take(1, 0).get(0), 1);
    offer(queue, 20, "a");
    assertThat(memory).containsEntry(FeedQueue.key("a"), 20L);
    offer(next(), 50);
    assertThat(memory).containsKey(FeedQueue.key("a"));
    offer(next(), 51);
    assertThat(memory).isEmpty();
  }

  @Test
  void theOldestOfTooManyKeysAreForgotten() {
    offer(
        queue,
        1,
        IntStream.range(0, FeedQueue.MOST_KNOWN).mapToObj(i -> "m" + i).toArray(String[]::new));
    for (SourceMessage message : queue.take(FeedQueue.MOST_KNOWN, 0)) {
      end(message, 1);
    }
    offer(queue, 2, "new", "m7");
    end(queue.take(1, 0).get(0), 2);
    offer(queue, 2, "new", "m7");
    assertThat(memory)
        .hasSize(FeedQueue.MOST_KNOWN)
        .containsKeys(FeedQueue.key("new"), FeedQueue.key("m7"));
  }

  @Test
  void failuresCountAndDelayAndReleasesDoNot() {
    offer(queue, 1, "a");
    SourceMessage first = queue.take(1, 0).get(0);
    assertThat(first.deliveries()).isEqualTo(1);
    queue.giveBack(first.receipt(), Duration.ZERO, false, 0);
    SourceMessage second = queue.take(1, 0).get(0);
    assertThat(second.deliveries()).isEqualTo(1);
    assertThat(second.receipt()).isNotEqualTo(first.receipt());
    queue.giveBack(second.receipt(), Duration.ofSeconds(1), true, 0);
    assertThat(take(queue, SECOND - 1)).isEmpty();
    SourceMessage third = queue.take(1, SECOND).get(0);
    assertThat(third.deliveries()).isEqualTo(2);
    assertThat(queue.lost(List.of(first.receipt(), third.receipt())))
        .containsExactly(first.receipt());
  }
}
