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
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conformance kit of sources: checks the promises S1 to S6 of {@link io.callboard.pollers.source}
 * against a real system, with clients that are cut off at each step. The test of a kind extends it;
 * what it implements is in {@link SourceStage}.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class SourceContract extends SourceStage {
  /** Returns the content as text. */
  final String text(SourceMessage message) {
    return payload(message).toString();
  }

  private Map<String, SourceMessage> byText(List<SourceMessage> messages) {
    Map<String, SourceMessage> byText = new TreeMap<>();
    for (SourceMessage message : messages) {
      assertThat(byText.put(text(message), message)).as("no double of %s", text(message)).isNull();
    }
    return byText;
  }

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

  // S1, S2: at each step

  @ParameterizedTest
  @EnumSource
  void losesNothingWhereItIsKilled(KillPoint point) throws Exception {
    Assumptions.assumeFalse(point.isDead() && !can(Lack.ASIDE), "this system lacks ASIDE");
    Assumptions.assumeFalse(point.isRelease() && !can(Lack.RELEASE), "this system lacks RELEASE");
    putTexts("m0", "m1", "m2");
    ContractClient client = client(shortLease());
    Map<String, SourceMessage> before = new TreeMap<>();
    Future<?> underWay;
    String victim;
    if (point == KillPoint.DURING_POLL) {
      victim = "m0";
      underWay = client.call(source -> source.poll(3));
    } else {
      List<SourceMessage> taken = client.take(3);
      before.putAll(byText(taken));
      SourceMessage hit = taken.get(point == KillPoint.AFTER_COMPLETE_OUT_OF_ORDER ? 2 : 0);
      victim = text(hit);
      underWay = client.call(step(point, hit));
      if (point.name().startsWith("AFTER")) {
        Futures.await(patience(), underWay);
      }
    }
    cut(client);
    KillPoint.Fate fate = fate(point, underWay);
    List<SourceMessage> again = comesBack(point, fate, victim);
    sameAsBefore(point, before, again);
    if (point.isDead()) {
      boolean isBack = again.stream().anyMatch(message -> text(message).equals(victim));
      long kept = aside().stream().filter(each -> each.body().toString().equals(victim)).count();
      assertThat(kept).as("set aside").isBetween(isBack ? 0L : 1L, 1L);
    }
  }

  private static Function<Source, Future<Void>> step(KillPoint point, SourceMessage hit) {
    List<String> receipts = List.of(hit.receipt());
    return source ->
        switch (point) {
          case DURING_POLL, AFTER_POLL -> Future.succeededFuture();
          case AFTER_EXTEND -> source.extend(receipts).mapEmpty();
          case DURING_COMPLETE, AFTER_COMPLETE, AFTER_COMPLETE_OUT_OF_ORDER ->
              source.complete(receipts);
          case DURING_FAIL, AFTER_FAIL -> source.fail(hit.receipt(), Duration.ZERO, "it failed");
          case DURING_DEAD, AFTER_DEAD -> source.dead(hit.receipt(), "it is poison");
          case DURING_RELEASE, AFTER_RELEASE -> source.release(receipts);
        };
  }

  private KillPoint.Fate fate(KillPoint point, Future<?> underWay) {
    if (point == KillPoint.AFTER_COMPLETE_OUT_OF_ORDER && !can(Lack.SINGLE_ACKNOWLEDGEMENT)) {
      return KillPoint.Fate.EITHER;
    } else if (point.fate() == KillPoint.Fate.EITHER && underWay.succeeded()) {
      return KillPoint.Fate.GONE; // the answer was not lost
    }
    return point.fate();
  }

  /** Takes and completes what comes to another client, and checks what must and what must not. */
  private List<SourceMessage> comesBack(KillPoint point, KillPoint.Fate fate, String victim)
      throws Exception {
    Set<String> expected = new TreeSet<>(Set.of("m0", "m1", "m2"));
    if (fate != KillPoint.Fate.BACK) {
      expected.remove(victim);
    }
    ContractClient other = client(shortLease());
    List<SourceMessage> again = new ArrayList<>();
    Eventually.assertThat(
        limit().plus(shortLease()),
        () -> {
          again.addAll(other.drain(Duration.ZERO));
          assertThat(again.stream().map(this::text)).as("S1 at %s", point).containsAll(expected);
        });
    again.addAll(other.drain(shortLease().dividedBy(2)));
    Set<String> permitted = new TreeSet<>(expected);
    if (fate == KillPoint.Fate.EITHER) {
      permitted.add(victim);
    }
    assertThat(byText(again).keySet()).as("S2 at %s", point).isSubsetOf(permitted);
    return again;
  }

  private void sameAsBefore(
      KillPoint point, Map<String, SourceMessage> before, List<SourceMessage> again) {
    for (SourceMessage message : again) {
      SourceMessage first = before.get(text(message));
      if (first != null) {
        assertThat(message.id()).as("S4: id of %s", text(message)).isEqualTo(first.id());
        if (can(Lack.COUNT) && !point.isRelease()) {
          assertThat(message.deliveries()).as("deliveries").isGreaterThan(1);
        }
      }
    }
  }

  // acknowledgements

  @Test
  void completesInAnyOrderAndTwice() throws Exception {
    putTexts(texts("m", 5));
    ContractClient client = client(shortLease().multipliedBy(3));
    List<SourceMessage> taken = client.take(5);
    client.complete(taken.get(3));
    client.complete(taken.get(0), taken.get(4));
    client.complete(taken.get(3));
    client.complete(taken.get(2), taken.get(1), taken.get(0));
    cut(client);
    assertThat(client().drain(shortLease().multipliedBy(3)).stream().map(this::text)).isEmpty();
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
  void whatFailedComesBackAfterItsDelay() throws Exception {
    putTexts("bad");
    ContractClient client = client();
    SourceMessage bad = client.one();
    putTexts("good");
    Duration delay = can(Lack.DELAYS) ? Duration.ofSeconds(2) : Duration.ZERO;
    long failedNanos = System.nanoTime();
    client.fail(bad, delay, "the cause");
    Map<String, SourceMessage> again = new HashMap<>();
    List<String> order = new ArrayList<>();
    while (again.size() < 2) {
      SourceMessage next = client.one();
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
    ContractClient client = client(shortLease());
    String cause = "it cannot be read: 'ä'\nat line 2, \"why\"";
    client.dead(client.one(), cause);
    assertThat(client.drain(shortLease())).as("S6: not delivered again").isEmpty();
    assertThat(aside()).hasSize(1);
    Aside kept = aside().get(0);
    assertThat(Bytes.of(kept.body())).isEqualTo(Bytes.of(poison));
    assertThat(kept.cause()).contains("it cannot be read");
  }

  // leases

  @Test
  void keepsWhatIsExtendedAndSaysWhatIsLost() throws Exception {
    needs(Lack.SHARING);
    Duration lease = shortLease().multipliedBy(2);
    ContractClient client = client(lease);
    Assumptions.assumeTrue(client.source().lease().isPresent(), "it has no lease");
    assertThat(client.source().lease()).contains(lease);
    putTexts("kept", "left");
    Map<String, SourceMessage> taken = byText(client.take(2));
    SourceMessage kept = taken.get("kept");
    SourceMessage left = taken.get("left");
    Set<String> lost = new HashSet<>();
    List<Throwable> failures = new ArrayList<>();
    long timer =
        vertx()
            .setPeriodic(
                lease.toMillis() / 4,
                t ->
                    client
                        .call(source -> source.extend(List.of(kept.receipt())))
                        .onSuccess(lost::addAll)
                        .onFailure(failures::add));
    ContractClient other = client(lease);
    Map<String, SourceMessage> others = byText(other.drain(lease.multipliedBy(2)));
    assertThat(others).as("what was not extended").containsOnlyKeys("left");
    assertThat(vertx().cancelTimer(timer)).isTrue();
    assertThat(client.extend(kept, left)).as("lost").containsExactly(left.receipt());
    assertThat(lost).isEmpty();
    assertThat(failures).isEmpty();
    client.complete(kept);
    cut(client);
    assertThat(other.drain(lease)).isEmpty();
  }

  @Test
  void lateCallsChangeNothing() throws Exception {
    needs(Lack.SHARING);
    ContractClient late = client(shortLease());
    Assumptions.assumeTrue(late.source().lease().isPresent(), "it has no lease");
    putTexts("m");
    SourceMessage lost = late.one();
    ContractClient owner = client(shortLease().multipliedBy(4));
    SourceMessage held = owner.one();
    late.fail(lost, Duration.ZERO, "late");
    late.release(lost);
    late.complete(lost);
    if (can(Lack.FENCING)) {
      assertThat(owner.extend(held)).as("lost by a late call of another").isEmpty();
      assertThat(late.poll(1)).isEmpty();
      cut(owner);
      assertThat(text(late.one())).isEqualTo("m");
    }
  }

  @Test
  void keepsItsPlaceWhileItDoesNotPoll() throws Exception {
    ContractClient client = client();
    putTexts("before");
    SourceMessage before = client.one();
    Futures.await(vertx().timer(shortLease().multipliedBy(3).toMillis()));
    assertThat(client.extend(before)).as("lost in a pause").isEmpty();
    client.complete(before);
    putTexts("after");
    SourceMessage after = client.one();
    assertThat(text(after)).isEqualTo("after");
    client.complete(after);
    cut(client);
    assertThat(client().drain(Duration.ZERO)).isEmpty();
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
    away();
    String receipt = taken.get(0).receipt();
    failsOrElse(client.call(source -> source.poll(1)), List.of());
    failsOrElse(client.call(source -> source.complete(List.of(receipt))), "a failure");
    ContractClient another = unopened(shortLease());
    failsOrElse(another.call(Source::open), "a failure");
    another.close();
    client.close();
    back();
    Map<String, SourceMessage> again = byText(client(shortLease()).take(2));
    assertThat(again).containsOnlyKeys("m0", "m1");
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
