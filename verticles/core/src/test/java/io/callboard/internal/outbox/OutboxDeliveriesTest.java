package io.callboard.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.outbox.Outbox.Relay;
import io.callboard.internal.outbox.OutboxDeliveries.Attempt;
import io.callboard.store.OutboxChange;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredOutbox;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Three attempts of each, after one, two and four seconds. */
class OutboxDeliveriesTest {
  private static final ActorPath ACTOR = ActorPath.of("/a");
  private static final ActorPath TO = ActorPath.of("/courier");
  private static final long ROOM = 64 << 10;

  private long nowMs = 100_000;
  private Outbox outbox = outbox();
  private final Map<Long, byte[]> stored = new TreeMap<>();
  private final Map<String, byte[]> parked = new TreeMap<>();

  private Outbox outbox() {
    return new Outbox(() -> nowMs, new TestDeliveries(() -> nowMs).machine());
  }

  private long now() {
    return TimeUnit.MILLISECONDS.toNanos(nowMs);
  }

  private DeliveryEntry entry(long number) {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    MessageId id = new MessageId("/a~" + number, 1);
    Envelope message = new Envelope(id, new MessageType("deliver", 1), body, null);
    return new DeliveryEntry(TO, 1, nowMs + 1_000, message);
  }

  private void begin(long number) {
    commit(new OutboxChange(Map.of(number, entry(number).encode()), Map.of(), List.of()));
  }

  private void confirm(long number) {
    commit(new OutboxChange(Map.of(), Map.of(), List.of(number)));
  }

  private void commit(OutboxChange given) {
    OutboxChange change = outbox.present(given);
    store(change);
    outbox.changed(ACTOR, change, now());
  }

  private void store(OutboxChange change) {
    stored.putAll(change.made());
    change.kept().keySet().forEach(number -> assertThat(stored).containsKey(number));
    stored.putAll(change.kept());
    change.gone().forEach(number -> assertThat(stored.remove(number)).isNotNull());
  }

  /** Relays what can be relayed now; false if there was nothing. */
  private boolean relay() {
    Relay relay = outbox.waitNanos(now()) == 0 ? outbox.next(ACTOR, now(), ROOM) : null;
    if (relay != null) {
      assertThat(relay.mail()).isEmpty();
      store(relay.change());
      parked.putAll(relay.parked());
      relay.applied().run();
    }
    return relay != null;
  }

  private void restart() {
    List<StoredOutbox> left = new ArrayList<>();
    stored.forEach((number, bytes) -> left.add(new StoredOutbox(number, bytes)));
    outbox = outbox();
    outbox.loaded("it", left, now());
  }

  private List<Long> sent() {
    return outbox.deliveries().takeAttempts().stream().map(Attempt::number).toList();
  }

  @Test
  void isSentAtOnceAndThenAfterItsPauses() {
    begin(7);
    assertThat(sent()).containsExactly(7L);
    assertThat(sent()).isEmpty();
    nowMs += 999;
    assertThat(relay()).isFalse();
    nowMs += 1;
    assertThat(relay()).isTrue();
    assertThat(sent()).containsExactly(7L);
    assertThat(DeliveryEntry.decode("it", stored.get(7L)).attempts()).isEqualTo(2);
    nowMs += 1_999;
    assertThat(relay()).isFalse();
    nowMs += 1;
    assertThat(relay()).isTrue();
    assertThat(sent()).containsExactly(7L);
  }

  @Test
  void aConfirmedDeliveryIsNotSentAgain() {
    begin(7);
    begin(8);
    confirm(7);
    nowMs += 10_000;
    assertThat(relay()).isTrue();
    assertThat(sent()).as("twice the first attempt of 7 and 8, and once more 8").endsWith(8L);
    assertThat(stored).containsOnlyKeys(8L);
  }

  @Test
  void anUnconfirmedDeliveryIsParkedWithTheOutcomeOfTheLastAttempt() {
    begin(7);
    nowMs += 1_000;
    assertThat(relay()).isTrue();
    nowMs += 2_000;
    assertThat(relay()).isTrue();
    outbox.deliveries().refused(7, "no actor /courier");
    outbox.deliveries().refused(8, "of which nothing is known");
    nowMs += 3_999;
    assertThat(relay()).isFalse();
    nowMs += 1;
    assertThat(relay()).isTrue();
    assertThat(stored).isEmpty();
    assertThat(new String(parked.get("delivery-7"), StandardCharsets.UTF_8))
        .contains("/courier", "3 attempts", "no actor /courier");
    assertThat(outbox.deliveries().takeGivenUp()).hasSize(1);
    assertThat(outbox.isEmpty()).isTrue();
    confirm(7); // too late, and no damage
    assertThat(outbox.waitNanos(now())).isNegative();
  }

  @Test
  void aDeliveryThatATurnIsAboutToConfirmIsNotGivenUp() {
    begin(7);
    OutboxChange confirmed = new OutboxChange(Map.of(), Map.of(), List.of(7L));
    outbox.posted(confirmed); // and waits for room somewhere
    nowMs += 60_000;
    assertThat(relay()).isFalse();
    commit(confirmed);
    assertThat(stored).isEmpty();
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aDeliveryThatWasParkedWhileItWasConfirmedIsTakenAwayAgain() {
    begin(7);
    nowMs += 60_000;
    assertThat(relay()).isTrue();
    nowMs += 60_000;
    assertThat(relay()).isTrue();
    nowMs += 60_000;
    assertThat(relay()).isTrue();
    assertThat(parked).containsOnlyKeys("delivery-7");
    OutboxChange confirmed = new OutboxChange(Map.of(), Map.of(), List.of(7L));
    ParkedKey key = new ParkedKey(ACTOR, "delivery-7");
    assertThat(outbox.parked(ACTOR, confirmed)).containsExactly(key);
    assertThat(outbox.parked(ACTOR, confirmed)).as("a unit given up, made again").contains(key);
    assertThat(outbox.present(confirmed).gone()).isEmpty();
    outbox.changed(ACTOR, confirmed, now());
    assertThat(outbox.parked(ACTOR, confirmed)).as("once").isEmpty();
  }

  @Test
  void aRestartGoesOnWhereItWas() {
    begin(7);
    nowMs += 1_000;
    assertThat(relay()).isTrue();
    restart();
    nowMs += 1_999;
    assertThat(relay()).isFalse();
    nowMs += 1;
    assertThat(relay()).isTrue();
    assertThat(sent()).containsExactly(7L);
    nowMs += 60_000;
    restart();
    assertThat(relay()).isTrue();
    assertThat(sent()).isEmpty();
    assertThat(parked).containsOnlyKeys("delivery-7");
  }

  @Test
  void manyAreServedBitByBit() {
    for (long number = 1; number <= 1_000; number++) {
      begin(number);
    }
    assertThat(sent()).hasSize(1_000);
    nowMs += 1_000;
    int relays = 0;
    while (relay()) {
      relays++;
    }
    assertThat(relays).isGreaterThan(10);
    assertThat(sent()).hasSize(1_000).doesNotHaveDuplicates();
  }

  /** Each is confirmed or parked, never both, and sent once to three times. */
  @Test
  void eachDeliveryHasOneEndWhateverHappens() {
    int parkedInAll = 0;
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      stored.clear();
      parked.clear();
      outbox = outbox();
      Map<Long, Integer> sent = new HashMap<>();
      Set<Long> confirmed = new HashSet<>();
      long last = 0;
      for (int step = 0; step < 200; step++) {
        int what = random.nextInt(10);
        if (what < 3) {
          begin(++last);
        } else if (what < 5 && last > 0) {
          long number = 1 + random.nextLong(last);
          boolean open = stored.containsKey(number);
          confirm(number);
          if (open) {
            confirmed.add(number);
          }
        } else if (what == 5) {
          restart();
        } else if (what < 8) {
          nowMs += random.nextInt(3_000);
        } else {
          while (relay()) {
            // until nothing is due
          }
        }
        sent().forEach(number -> sent.merge(number, 1, Integer::sum));
      }
      for (long number = 1; number <= last; number++) {
        boolean isParked = parked.containsKey("delivery-" + number);
        int ends = (isParked ? 1 : 0) + (confirmed.contains(number) ? 1 : 0);
        assertThat(ends + (stored.containsKey(number) ? 1 : 0)).as("seed %d", seed).isEqualTo(1);
        assertThat(sent.getOrDefault(number, 0))
            .isLessThanOrEqualTo(TestDeliveries.POLICY.attempts());
        parkedInAll += isParked ? 1 : 0;
      }
    }
    assertThat(parkedInAll).isGreaterThan(100);
  }
}
