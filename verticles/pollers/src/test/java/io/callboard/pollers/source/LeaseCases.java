package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Cases of leases that are extended or lost, and of clients that do not poll. */
abstract class LeaseCases extends KillCases {
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
    Set<String> lost = ConcurrentHashMap.newKeySet();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
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
    // longer than the lease and its first extension
    Map<String, SourceMessage> others = byText(other.drain(shortLease().multipliedBy(3)));
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
    Duration lease = shortLease().multipliedBy(2);
    ContractClient owner = client(lease);
    SourceMessage held = owner.one();
    late.fail(lost, Duration.ZERO, "late");
    late.release(lost);
    late.complete(lost);
    if (can(Lack.FENCING)) {
      assertThat(owner.extend(held)).as("lost by a late call of another").isEmpty();
      assertThat(late.poll(1)).isEmpty();
      cut(owner);
      assertThat(text(late.one(lease))).isEqualTo("m");
    }
  }

  @Test
  void keepsItsPlaceWhileItDoesNotPoll() throws Exception {
    ContractClient client = client();
    putTexts("before");
    SourceMessage before = client.one();
    Futures.await(vertx().timer(shortLease().multipliedBy(2).toMillis()));
    assertThat(client.extend(before)).as("lost in a pause").isEmpty();
    client.complete(before);
    putTexts("after");
    SourceMessage after = client.one();
    assertThat(text(after)).isEqualTo("after");
    client.complete(after);
    cut(client);
    assertThat(client().drain(Duration.ZERO)).isEmpty();
  }
}
