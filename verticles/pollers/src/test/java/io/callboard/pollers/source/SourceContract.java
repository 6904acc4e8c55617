package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Conformance kit of sources: checks the promises S1 to S9 of {@link io.callboard.pollers.source}
 * against a real system, with clients that are cut off at each step. The test of a kind extends it;
 * what it implements is in {@link SourceStage}; further cases are in {@link KillCases} and {@link
 * LeaseCases}.
 */
public abstract class SourceContract extends LeaseCases {
  private static String[] texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  // S3

  @Test
  void takesNoMoreThanItIsAskedFor() throws Exception {
    putTexts(texts("m", 10));
    ContractClient first = client();
    List<SourceMessage> taken = new ArrayList<>(first.take(3));
    if (can(Lack.SHARING)) {
      taken.addAll(client().take(7));
    } else {
      taken.addAll(first.take(7));
    }
    assertThat(byText(taken)).hasSize(10);
  }

  @Test
  void answersWithNoneWithoutHoldingItsContext() throws Exception {
    ContractClient client = client();
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 3 && held.stream().noneMatch(nanos -> nanos < 300_000_000L); i++) {
      Future<List<SourceMessage>> none =
          client.call(
              source -> {
                long begunNanos = System.nanoTime();
                Future<List<SourceMessage>> polled = source.poll(5);
                held.add(System.nanoTime() - begunNanos);
                return polled;
              });
      assertThat(Futures.await(patience(), none)).isEmpty();
    }
    assertThat(held).as("nanoseconds of the call itself").anyMatch(nanos -> nanos < 300_000_000L);
  }

  // S4, and the content

  @Test
  void carriesBodiesAsTheyAre() throws Exception {
    List<Buffer> bodies = hostileBodies();
    put(bodies);
    List<SourceMessage> taken = client().take(bodies.size());
    assertThat(taken.stream().map(this::payload).map(Bytes::of))
        .containsExactlyInAnyOrderElementsOf(bodies.stream().map(Bytes::of).toList());
  }

  @Test
  void tellsMessagesApartByTheirIds() throws Exception {
    List<Buffer> bodies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      bodies.add(Buffer.buffer("m" + (can(Lack.EQUAL_BODIES) ? i / 2 : i)));
    }
    put(bodies);
    ContractClient client = client();
    List<SourceMessage> taken = client.take(20);
    assertThat(taken.stream().map(SourceMessage::id)).doesNotHaveDuplicates();
    if (can(Lack.COUNT)) {
      assertThat(taken.stream().map(SourceMessage::deliveries)).containsOnly(1);
    }
    client.complete(taken);
    assertThat(client.drain(Duration.ZERO)).isEmpty();
  }

  // acknowledgements

  @Test
  void completesInAnyOrderAndTwice() throws Exception {
    putTexts(texts("m", 5));
    ContractClient client = client(shortLease().multipliedBy(2));
    List<SourceMessage> taken = client.take(5);
    client.complete(taken.get(3));
    client.complete(taken.get(0), taken.get(4));
    client.complete(taken.get(3));
    client.complete(taken.get(2), taken.get(1), taken.get(0));
    cut(client);
    assertThat(client().drain(shortLease().multipliedBy(2)).stream().map(this::text)).isEmpty();
  }

  @Test
  void releaseGivesBackAtOnce() throws Exception {
    needs(Lack.RELEASE);
    putTexts("m0", "m1", "m2");
    ContractClient client = client();
    List<SourceMessage> taken = client.take(3);
    client.release(taken.get(1), taken.get(2));
    ContractClient next = can(Lack.SHARING) ? client() : client;
    Map<String, SourceMessage> again = byText(next.take(2));
    assertThat(again).containsOnlyKeys(text(taken.get(1)), text(taken.get(2)));
    assertThat(again.get(text(taken.get(1))).id()).isEqualTo(taken.get(1).id());
    assertThat(next.drain(Duration.ZERO)).isEmpty();
  }

  // S5

  @Test
  void aFailedMessageComesBackAfterItsDelay() throws Exception {
    putTexts("bad");
    ContractClient client = client();
    SourceMessage bad = client.one();
    putTexts("good");
    Duration delay = can(Lack.DELAYS) ? Duration.ofSeconds(6) : Duration.ZERO;
    long failedNanos = System.nanoTime();
    client.fail(bad, delay, "the cause");
    Map<String, SourceMessage> again = new HashMap<>();
    List<String> order = new ArrayList<>();
    while (again.size() < 2) {
      SourceMessage next = client.one(delay);
      order.add(text(next));
      again.put(text(next), next);
      client.complete(next);
    }
    if (can(Lack.DELAYS)) {
      Duration after = Duration.ofNanos(System.nanoTime() - failedNanos);
      assertThat(after).as("S5").isGreaterThan(delay.minusMillis(100));
      assertThat(order).as("one that failed holds no other").containsExactly("good", "bad");
    }
    assertThat(again.get("bad").id()).as("S4").isEqualTo(bad.id());
    if (can(Lack.COUNT)) {
      assertThat(again.get("bad").deliveries()).isEqualTo(2);
    }
    assertThat(client.drain(Duration.ZERO)).isEmpty();
  }

  // S6

  @Test
  void setsAsideWithTheCause() throws Exception {
    needs(Lack.ASIDE);
    Buffer poison = hostileBodies().get(hostileBodies().size() - 1);
    put(List.of(poison));
    ContractClient client = client(shortLease().multipliedBy(2));
    String cause = "it cannot be read: 'ä'\nat line 2, \"why\"";
    client.dead(client.one(), cause);
    assertThat(client.drain(shortLease().multipliedBy(2))).as("S6: not delivered again").isEmpty();
    assertThat(aside()).hasSize(1);
    Aside kept = aside().get(0);
    assertThat(Bytes.of(kept.body())).isEqualTo(Bytes.of(poison));
    assertThat(kept.cause()).contains("it cannot be read");
  }

  // S7, S8, S9

  @Test
  void setsAsideByItselfWhatCannotBeRead() throws Exception {
    needs(Lack.UNREADABLE);
    putTexts("m0", "m1");
    putUnreadable();
    putTexts("m2");
    ContractClient client = client();
    List<SourceMessage> taken = new ArrayList<>(client.take(3));
    assertThat(byText(taken)).as("S7: holds no other").containsOnlyKeys("m0", "m1", "m2");
    client.complete(taken);
    Eventually.assertThat(
        limit(),
        () -> {
          assertThat(client.poll(10)).isEmpty();
          assertThat(setAside()).hasSize(1);
        });
    assertThat(aside().get(0).cause()).as("S7: its cause").isNotBlank();
  }

  @Test
  void saysWhatCannotBeSetAside() throws Exception {
    needs(Lack.UNREADABLE);
    ContractClient client = client(shortLease());
    refuseAside();
    putUnreadable();
    putTexts("m0");
    List<SourceMessage> taken = client.take(1);
    assertThat(byText(taken)).as("S7: holds no other").containsOnlyKeys("m0");
    client.complete(taken);
    Eventually.assertThat(
        limit(),
        () -> {
          assertThat(client.poll(10)).isEmpty();
          assertThat(client.trouble()).as("S9: what cannot be set aside").isPresent();
        });
    acceptAside();
    Eventually.assertThat(
        limit(),
        () -> {
          assertThat(client.poll(10)).isEmpty();
          assertThat(setAside()).hasSize(1);
          assertThat(client.trouble()).as("S9: it is set aside").isEmpty();
        });
  }

  private List<Aside> setAside() {
    try {
      return aside();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void takesABacklogOfLargeMessagesInParts() throws Exception {
    needs(Lack.LARGE);
    int count = Source.MOST_BYTES / 4 * 5 / large(); // more than one poll may give
    List<String> heads = List.of(texts("large", count));
    for (String head : heads) { // one by one: not all of it at once in the plain client, either
      put(List.of(Buffer.buffer(head + " ".repeat(large() - head.length()))));
    }
    ContractClient client = client();
    List<String> taken = new ArrayList<>();
    List<Long> parts = new ArrayList<>();
    Eventually.assertThat(
        limit(),
        () -> {
          List<SourceMessage> part = client.poll(1_000);
          parts.add(part.stream().mapToLong(each -> each.body().length()).sum());
          part.forEach(each -> taken.add(text(each).strip()));
          client.complete(part);
          assertThat(taken).hasSizeGreaterThanOrEqualTo(count);
        });
    assertThat(taken).containsExactlyInAnyOrderElementsOf(heads);
    assertThat(parts)
        .as("S8: bytes of each poll")
        .allMatch(bytes -> bytes < Source.MOST_BYTES + large());
  }

  // several clients

  @Test
  void clientsShareWithoutDoubles() throws Exception {
    needs(Lack.SHARING);
    putTexts(texts("m", 60));
    List<ContractClient> both = List.of(client(), client());
    List<SourceMessage> taken = new ArrayList<>();
    Eventually.assertThat(
        limit(),
        () -> {
          for (ContractClient client : both) {
            List<SourceMessage> part = client.poll(7);
            client.complete(part);
            taken.addAll(part);
          }
          assertThat(taken).hasSizeGreaterThanOrEqualTo(60);
        });
    assertThat(byText(taken)).hasSize(60);
  }

  // the rest

  @Test
  void emitsOnce() throws Exception {
    EmittedMessage message =
        new EmittedMessage("job-1/out-2", hostileBodies().get(0), Map.of("kind", "article"));
    ContractClient client = client();
    Future<Void> sent = client.call(source -> source.emit(target(), message));
    if (!can(Lack.EMIT)) {
      assertThatThrownBy(() -> Futures.await(patience(), sent)).isInstanceOf(SourceException.class);
      return;
    }
    Futures.await(patience(), sent);
    List<EmittedMessage> arrived = emitted(target());
    assertThat(arrived).hasSize(1);
    assertThat(arrived.get(0).id()).isEqualTo(message.id());
    assertThat(Bytes.of(arrived.get(0).body())).isEqualTo(Bytes.of(message.body()));
    if (can(Lack.HEADERS)) {
      assertThat(arrived.get(0).headers()).containsAllEntriesOf(message.headers());
    }
  }

  @Test
  void countsWhatWaits() throws Exception {
    ContractClient client = client();
    if (!can(Lack.LAG)) {
      assertThat(client.lag()).isEmpty();
      return;
    }
    putTexts(texts("m", 5));
    Eventually.assertThat(limit(), () -> assertThat(client.lag()).hasValue(5));
    client.complete(client.take(5));
    Eventually.assertThat(limit(), () -> assertThat(client.lag()).hasValue(0));
  }

  @Test
  void failsInTimeWhileItsServerIsAway() throws Exception {
    needs(Lack.OUTAGE);
    putTexts("m0", "m1");
    ContractClient client = client(shortLease());
    List<SourceMessage> taken = client.take(1);
    ContractClient another = unopened(shortLease());
    away();
    String receipt = taken.get(0).receipt();
    failsOrElse(client.call(source -> source.poll(1)), List.of());
    failsOrElse(client.call(source -> source.complete(List.of(receipt))), "a failure");
    failsOrElse(another.call(Source::open), "a failure");
    another.close();
    client.close();
    back();
    // some systems go by the lease of who asks; what was taken first is free first
    ContractClient next = client(shortLease().multipliedBy(2));
    assertThat(byText(next.take(2))).containsOnlyKeys("m0", "m1");
  }

  private void failsOrElse(Future<?> call, Object otherwise) {
    Object got;
    try {
      got = Futures.await(patience(), call);
    } catch (SourceException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(got).as("without its server").isEqualTo(otherwise);
  }

  @Test
  void closesTwiceAndUnopenedAndWhilePolling() throws Exception {
    ContractClient unopened = unopened(shortLease());
    unopened.close();
    unopened.close();
    ContractClient client = client(shortLease());
    Future<List<SourceMessage>> polled = client.call(source -> source.poll(1));
    client.close();
    client.close();
    Futures.await(patience(), polled.transform(ended -> Future.succeededFuture()));
    putTexts("m");
    assertThat(text(client(shortLease()).one())).as("a closed source takes nothing").isEqualTo("m");
  }

  /** Bytes, compared by content and shown in short. */
  private record Bytes(String hex) {
    static Bytes of(Buffer buffer) {
      String digits = HexFormat.of().formatHex(buffer.getBytes());
      return new Bytes(
          digits.length() <= 600
              ? digits
              : "%s… %d bytes, hash %d"
                  .formatted(digits.substring(0, 60), buffer.length(), digits.hashCode()));
    }
  }
}
