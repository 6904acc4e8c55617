package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases of clients that are killed at each step: promises S1, S2 and S4. */
abstract class KillCases extends SourceStage {
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void losesNothingWhereItIsKilled(KillPoint point) throws Exception {
    Optional<Lack> lack = point.needs().filter(what -> !can(what));
    String outcome = "FAILED";
    try {
      outcome = lack.isPresent() ? "not applicable: " + words(lack.get()) : outcome(point);
    } finally {
      if (kitColumn().isPresent()) {
        KitTable.record(kitColumn().get(), point, outcome);
      }
    }
    lack.ifPresent(this::needs);
  }

  private static String words(Lack lack) {
    return lack == Lack.ASIDE
        ? "nothing is kept of what is set aside"
        : "nothing can be given back before its lease ends";
  }

  /** Kills a client; returns what became of its message, in words. */
  private String outcome(KillPoint point) throws Exception {
    putTexts("m0", "m1", "m2");
    ContractClient client = client(shortLease());
    long begunNanos = System.nanoTime();
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
    boolean isLate = System.nanoTime() - begunNanos >= shortLease().toNanos();
    cut(client);
    KillPoint.Fate fate = fate(point, underWay, isLate && client.source().lease().isPresent());
    List<SourceMessage> again = comesBack(point, fate, victim);
    sameAsBefore(point, before, again);
    boolean isBack = again.stream().anyMatch(message -> text(message).equals(victim));
    String outcome = isBack ? "comes back" : "gone";
    if (point.isDead()) {
      long kept = aside().stream().filter(each -> each.body().toString().equals(victim)).count();
      assertThat(kept).as("set aside").isBetween(isBack ? 0L : 1L, 1L);
      outcome = kept == 0 ? outcome : isBack ? "set aside, and comes back" : "set aside";
    }
    return point.fate() == KillPoint.Fate.EITHER
        ? outcome + (underWay.succeeded() ? ", answered" : ", unanswered")
        : outcome;
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

  /** Returns the fate; where the client had lost the message when it was late, it may be either. */
  private KillPoint.Fate fate(KillPoint point, Future<?> underWay, boolean isLate) {
    if (point.fate() != KillPoint.Fate.BACK && isLate) {
      return KillPoint.Fate.EITHER;
    } else if (point == KillPoint.AFTER_COMPLETE_OUT_OF_ORDER
        && !can(Lack.SINGLE_ACKNOWLEDGEMENT)) {
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
    again.addAll(other.drain(Duration.ofSeconds(1)));
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
}
