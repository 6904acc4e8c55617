package io.callboard.pollers.internal.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettingAsideTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final ManualTime time = new ManualTime();
  private final Set<String> stuck = ConcurrentHashMap.newKeySet();
  private final List<String> tried = new CopyOnWriteArrayList<>();
  private final Promise<Void> never = Promise.promise();
  private final SettingAside aside = new SettingAside(vertx, time, "the queue", this::dead);

  @AfterEach
  void end() {
    Futures.await(vertx.close());
  }

  private Future<Void> dead(String receipt, String cause) {
    tried.add(receipt);
    if (receipt.equals("hangs")) {
      return never.future();
    }
    return stuck.contains(receipt)
        ? Future.failedFuture("no room for " + receipt)
        : Future.succeededFuture();
  }

  private Future<?> poll(String... unfit) {
    Promise<Object> polled = Promise.promise();
    context.runOnContext(
        v -> {
          for (String each : unfit) {
            aside.add(each, "it has no id");
          }
          aside.thenDeliver(List.of()).onComplete(done -> polled.complete());
        });
    return polled.future();
  }

  @Test
  void aMessageThatCannotBeSetAsideNeitherHoldsOthersNorFailsPolls() {
    stuck.add("a");
    Futures.await(poll("a", "b", "c"));
    assertThat(tried).containsExactly("a", "b", "c");
    assertThat(aside.trouble())
        .contains("1 messages cannot be set aside, one of them because: no room for a");
    Futures.await(poll());
    assertThat(tried).as("it is not tried with each poll").hasSize(3);
    time.advance(SettingAside.FIRST_PAUSE);
    Futures.await(poll());
    assertThat(tried).hasSize(4);
    time.advance(SettingAside.FIRST_PAUSE);
    Futures.await(poll());
    assertThat(tried).as("its pause has grown").hasSize(4);
    stuck.clear();
    time.advance(SettingAside.FIRST_PAUSE);
    Futures.await(poll());
    assertThat(tried).hasSize(5);
    assertThat(aside.trouble()).isEmpty();
  }

  @Test
  void aMessageThatComesAgainWhileItIsSetAsideIsSetAsideOnceMore() {
    context.runOnContext(v -> aside.add("id", "hangs", "it has no id"));
    Future<?> polled = poll();
    context.runOnContext(v -> aside.add("id", "again", "it has no id"));
    context.runOnContext(v -> never.complete());
    Eventually.assertThat(() -> assertThat(tried).containsExactly("hangs", "again"));
    Futures.await(polled);
    Futures.await(poll());
    assertThat(tried).hasSize(2);
  }

  @Test
  void aMessageThatComesAgainIsTriedWithItsNewReceiptAndCountsOnce() {
    stuck.addAll(List.of("first", "second"));
    context.runOnContext(v -> aside.add("id", "first", "it has no id"));
    Futures.await(poll());
    context.runOnContext(v -> aside.add("id", "second", "it has no id"));
    Futures.await(poll());
    assertThat(tried).as("its pause goes on").containsExactly("first");
    assertThat(aside.trouble().orElseThrow()).startsWith("1 messages");
    stuck.clear();
    time.advance(SettingAside.FIRST_PAUSE);
    Futures.await(poll());
    assertThat(tried).containsExactly("first", "second");
    assertThat(aside.trouble()).isEmpty();
  }

  @Test
  void aPollWaitsAWhileForMessagesThatAreSetAsideSlowly() {
    Future<?> first = poll("hangs", "b");
    Eventually.isTrue("the poll waits", () -> time.untilNext().isPresent());
    assertThat(tried).containsExactly("hangs");
    assertThat(first.isComplete()).isFalse();
    time.advance(SettingAside.WAIT);
    Futures.await(first);
    context.runOnContext(v -> never.complete());
    Eventually.isTrue("the other follows", () -> tried.contains("b"));
    Futures.await(poll());
    assertThat(aside.trouble()).isEmpty();
  }

  @Test
  void theNumberOfMessagesHasALimitThatIsReported() {
    String[] many = new String[SettingAside.MOST];
    for (int i = 0; i < many.length; i++) {
      many[i] = "m" + i;
      stuck.add(many[i]);
    }
    Futures.await(poll(many));
    assertThat(aside.isFull()).isTrue();
    assertThat(aside.trouble().orElse("")).startsWith("1,000 messages").contains("nothing is");
    stuck.clear();
    time.advance(SettingAside.FIRST_PAUSE);
    Futures.await(poll());
    assertThat(aside.isFull()).isFalse();
  }
}
