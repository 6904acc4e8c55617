package io.callboard.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.TimerEntry;
import io.callboard.internal.outbox.Outbox.Relay;
import io.callboard.store.OutboxChange;
import io.callboard.store.StoredOutbox;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final long ROOM = Outbox.RELAY_BYTES;

  private static final MessageType TYPE = new MessageType("note", 1);

  private static final ActorPath SENDER = ActorPath.of("/space/s");

  private long nowMs;
  private final Outbox outbox = new Outbox(() -> nowMs, new TestDeliveries(() -> nowMs).machine());
  private final Map<Long, byte[]> stored = new TreeMap<>();

  private static ActorPath actor(int number) {
    return ActorPath.of("/space/a" + number);
  }

  private static Envelope note(long number, int bytes) {
    byte[] body = ("\"" + "x".repeat(bytes) + "\"").getBytes(StandardCharsets.UTF_8);
    return new Envelope(new MessageId("/space/s", number), TYPE, body, null);
  }

  private void add(Map<ActorPath, List<Envelope>> mail) {
    OutboxChange change = outbox.change(mail);
    change.made().keySet().forEach(number -> assertThat(stored).doesNotContainKey(number));
    stored.putAll(change.made());
    outbox.made(mail, 0);
  }

  private void add(int receiver, long... numbers) {
    List<Envelope> mail = new ArrayList<>();
    for (long number : numbers) {
      mail.add(note(number, 10));
    }
    add(Map.of(actor(receiver), mail));
  }

  private void apply(Relay relay) {
    assertThat(stored.keySet()).containsAll(relay.change().gone());
    assertThat(stored.keySet()).containsAll(relay.change().kept().keySet());
    stored.putAll(relay.change().kept());
    stored.keySet().removeAll(relay.change().gone());
    relay.applied().run();
  }

  private static List<Long> numbers(Relay relay, int receiver) {
    return relay.mail().getOrDefault(actor(receiver), List.of()).stream()
        .map(envelope -> envelope.id().number())
        .toList();
  }

  @Test
  void aFullReceiverHoldsUpNoOther() {
    add(1, 1, 2);
    add(2, 3);
    add(1, 4);
    Relay first = outbox.next(SENDER, 0, ROOM);
    assertThat(numbers(first, 1)).containsExactly(1L, 2L, 4L);
    assertThat(numbers(first, 2)).containsExactly(3L);
    outbox.full(SENDER, actor(1), failures -> 100L * failures, 0);
    Relay second = outbox.next(SENDER, 0, ROOM);
    assertThat(second.mail()).containsOnlyKeys(actor(2));
    apply(second);
    assertThat(outbox.next(SENDER, 99, ROOM)).isNull();
    assertThat(outbox.waitNanos(60)).isEqualTo(40);
    outbox.full(SENDER, actor(1), failures -> 100L * failures, 100);
    assertThat(outbox.next(SENDER, 299, ROOM)).isNull();
    Relay third = outbox.next(SENDER, 300, ROOM);
    assertThat(numbers(third, 1)).containsExactly(1L, 2L, 4L);
    apply(third);
    assertThat(outbox.isEmpty()).isTrue();
    assertThat(stored).isEmpty();
    assertThat(outbox.waitNanos(0)).isNegative();
  }

  @Test
  void aLaterMessageStaysBehindThoseThatWait() {
    add(1, 1);
    assertThat(outbox.holds(actor(1))).isTrue();
    assertThat(outbox.holds(actor(2))).isFalse();
    apply(outbox.next(SENDER, 0, ROOM));
    assertThat(outbox.holds(actor(1))).isFalse();
  }

  @Test
  void anOutboxIsBoundedInMessagesAndInBytes() {
    List<Envelope> many = new ArrayList<>();
    for (int i = 0; i < Outbox.MOST_MESSAGES; i++) {
      many.add(note(i, 1));
    }
    assertThat(outbox.takes(Map.of(actor(1), many))).isTrue();
    add(1, 1);
    assertThat(outbox.takes(Map.of(actor(1), many))).isFalse();
    assertThat(outbox.takes(Map.of(actor(1), List.of(note(1, Outbox.MOST_BYTES))))).isFalse();
  }

  @Test
  void aRelayFitsBesideALargeRecord() {
    List<Envelope> lots = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      lots.add(note(i, 30_000));
    }
    add(Map.of(actor(1), lots));
    List<Long> got = new ArrayList<>();
    int most = Outbox.ENTRY_BYTES + 31_000;
    for (Relay next = outbox.next(SENDER, 0, 0); next != null; next = outbox.next(SENDER, 0, 0)) {
      long size =
          next.change().kept().values().stream().mapToLong(bytes -> bytes.length).sum()
              + next.mail().get(actor(1)).stream().mapToLong(Envelope::size).sum();
      assertThat(size).as("with what is written again").isLessThan(most);
      got.addAll(numbers(next, 1));
      apply(next);
    }
    assertThat(got).hasSize(30).isSorted();
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void everyReceiverGetsItsMailOnceAndInOrderWhateverIsFull() {
    for (long seed = 0; seed < 300; seed++) {
      world(new SplittableRandom(seed));
    }
  }

  private void world(SplittableRandom random) {
    Map<ActorPath, List<Long>> sent = new HashMap<>();
    Map<ActorPath, List<Long>> got = new HashMap<>();
    long number = 0;
    long now = 0;
    for (int step = 0; step < 200 || !outbox.isEmpty(); step++) {
      now += random.nextInt(3);
      if (step < 200 && random.nextInt(3) == 0) {
        Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
        for (int i = random.nextInt(random.nextInt(50) == 0 ? 150 : 4); i >= 0; i--) {
          ActorPath to = actor(random.nextInt(200));
          Envelope note = note(++number, random.nextInt(40) == 0 ? 90_000 : 20);
          mail.computeIfAbsent(to, t -> new ArrayList<>()).add(note);
          sent.computeIfAbsent(to, t -> new ArrayList<>()).add(number);
        }
        add(mail);
      } else if (random.nextInt(20) == 0) {
        List<StoredOutbox> read = new ArrayList<>();
        stored.forEach((key, bytes) -> read.add(new StoredOutbox(key, bytes)));
        outbox.loaded("it", read, now);
      } else {
        Relay relay = outbox.next(SENDER, now, ROOM);
        if (relay != null && random.nextInt(4) == 0) {
          List<ActorPath> receivers = List.copyOf(relay.mail().keySet());
          outbox.full(SENDER, receivers.get(random.nextInt(receivers.size())), failures -> 5, now);
        } else if (relay != null) {
          apply(relay);
          relay
              .mail()
              .forEach(
                  (to, mail) ->
                      mail.forEach(
                          each ->
                              got.computeIfAbsent(to, t -> new ArrayList<>())
                                  .add(each.id().number())));
        }
      }
    }
    assertThat(got).isEqualTo(sent);
    assertThat(stored).isEmpty();
    assertThat(outbox.size()).isZero();
  }

  private static StoredOutbox timer(long number, long dueMs) {
    Envelope message = note(number, 1).with(new Handling(0, 0, number));
    return new StoredOutbox(
        number, new TimerEntry("k" + number, dueMs, 0, false, message).encode());
  }

  private static long millis(long count) {
    return count * 1_000_000;
  }

  @Test
  void aTimerIsRelayedToItsActorWhenItIsDueOnce() {
    nowMs = 1_000;
    outbox.loaded("it", List.of(timer(7, 1_500), timer(8, 900), timer(9, 1_500)), millis(40));
    assertThat(outbox.isEmpty()).isFalse();
    assertThat(outbox.waitNanos(millis(40))).as("one is late already").isZero();
    Relay late = outbox.next(SENDER, millis(40), ROOM);
    assertThat(late.mail().get(SENDER))
        .extracting(each -> each.handling().timer())
        .containsExactly(8L);
    assertThat(late.change().kept().keySet()).containsExactly(8L);
    late.applied().run();
    assertThat(outbox.next(SENDER, millis(539), ROOM)).isNull();
    assertThat(outbox.waitNanos(millis(539))).isEqualTo(millis(1));
    outbox.changed(SENDER, new OutboxChange(Map.of(), Map.of(), List.of(9L)), millis(539));
    Relay due = outbox.next(SENDER, millis(540), ROOM);
    assertThat(due.change().kept().keySet()).as("the other was cancelled").containsExactly(7L);
    due.applied().run();
    assertThat(outbox.next(SENDER, millis(9_000), ROOM)).isNull();
    assertThat(outbox.waitNanos(millis(9_000)))
        .as("their messages are not handled yet")
        .isNegative();
    TimerEntry fired = TimerEntry.decode("it", due.change().kept().get(7L));
    assertThat(fired.fired()).isTrue();
    outbox.loaded("it", List.of(new StoredOutbox(7, fired.encode())), millis(9_000));
    assertThat(outbox.next(SENDER, millis(9_001), ROOM)).as("after a restart").isNull();
    outbox.changed(SENDER, new OutboxChange(Map.of(), Map.of(), List.of(7L)), millis(9_002));
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aTimerOfATurnThatCannotBeReadIsNamedWithItsOutbox() {
    OutboxChange bad = new OutboxChange(Map.of(7L, new byte[] {'x'}), Map.of(), List.of());
    assertThatThrownBy(() -> outbox.changed(SENDER, bad, 0))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("timer 7 of the outbox of " + SENDER);
  }

  private List<Long> relayed(long nowNanos) {
    Relay relay = outbox.next(SENDER, nowNanos, ROOM);
    if (relay == null) {
      return List.of();
    }
    relay.applied().run();
    return relay.mail().get(SENDER).stream().map(each -> each.handling().timer()).toList();
  }

  @Test
  void timersOfOneTimeAreRelayedInTheOrderOfTheirStarts() {
    nowMs = 1_000;
    start(timer(7, 1_100), millis(40) + 900_000); // the clock stands at 1,000.9
    nowMs = 1_005;
    start(timer(8, 1_100), millis(45)); // at 1,005.0
    assertThat(outbox.waitNanos(millis(140))).isZero();
    assertThat(relayed(millis(140))).containsExactly(7L, 8L);
  }

  @Test
  void timersAreRelayedInTheOrderOfTheirTimesAlthoughTheClockIsSet() {
    nowMs = 1_000;
    start(timer(9, 5_000), 0);
    nowMs = 3_000; // an hour of summer, or so
    start(timer(8, 6_000), 0);
    start(timer(7, 5_500), 0);
    assertThat(relayed(millis(2_499))).isEmpty();
    assertThat(relayed(millis(2_500))).containsExactly(9L, 7L);
    assertThat(outbox.waitNanos(millis(2_500))).isEqualTo(millis(500));
    assertThat(relayed(millis(3_000))).containsExactly(8L);
  }

  @Test
  void aClockSetBackMakesNoTimerEarlyThatIsStartedThen() {
    nowMs = 10_000;
    start(timer(7, 14_000), 0);
    start(timer(8, 90_000), 0);
    nowMs = 1_000;
    start(timer(9, 11_000), 0);
    assertThat(outbox.waitNanos(0)).isEqualTo(millis(10_000));
    assertThat(relayed(millis(9_999))).isEmpty();
    assertThat(relayed(millis(10_000))).containsExactly(9L, 7L);
    assertThat(relayed(millis(80_000))).containsExactly(8L);
  }

  private void start(StoredOutbox timer, long nowNanos) {
    Map<Long, byte[]> made = Map.of(timer.number(), timer.bytes());
    outbox.changed(SENDER, new OutboxChange(made, Map.of(), List.of()), nowNanos);
  }

  @Test
  void timersThatAreDueTogetherFitIntoTheirRelays() {
    List<StoredOutbox> stored = new ArrayList<>();
    for (long number = 1; number <= 40; number++) {
      Envelope message = note(number, 30_000).with(new Handling(0, 0, number));
      stored.add(new StoredOutbox(number, new TimerEntry("k", 0, 0, false, message).encode()));
    }
    outbox.loaded("it", stored, 0);
    int relayed = 0;
    for (Relay next = outbox.next(SENDER, 0, ROOM);
        next != null;
        next = outbox.next(SENDER, 0, ROOM)) {
      long mail = next.mail().get(SENDER).stream().mapToLong(Envelope::size).sum();
      assertThat(mail + next.change().bytes()).isLessThanOrEqualTo(Outbox.RELAY_BYTES);
      relayed += next.mail().get(SENDER).size();
      next.applied().run();
    }
    assertThat(relayed).isEqualTo(40);
    outbox.loaded("it", stored, 0);
    assertThat(outbox.next(SENDER, 0, 0).mail().get(SENDER)).as("one always").hasSize(1);
  }

  @Test
  void aTimerWaitsForRoomAndHoldsUpNoMessages() {
    outbox.loaded("it", List.of(timer(7, 0)), 0);
    add(1, 1);
    assertThat(outbox.next(SENDER, 0, ROOM).mail()).containsOnlyKeys(SENDER);
    outbox.full(SENDER, SENDER, failures -> 100, 0);
    assertThat(outbox.next(SENDER, 0, ROOM).mail()).containsOnlyKeys(actor(1));
    assertThat(outbox.next(SENDER, 100, ROOM).mail()).containsOnlyKeys(SENDER);
  }
}
