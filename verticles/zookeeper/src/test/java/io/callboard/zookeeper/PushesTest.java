package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.Store;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mail goes from the node that commits it to the node that owns its receiver, ahead of any read.
 */
@Tag("real")
class PushesTest {
  private static final int FEW = 100;
  private static final int ROUNDS = 40;
  private static final int MANY = 2_000;

  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("pushes");

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicBoolean calm = new AtomicBoolean();
  @AutoClose private final ClusteredNodes nodes = new ClusteredNodes(server);
  private final Callboard here = nodes.open("here");
  private Callboard there;

  record Word(int lane, int n) {}

  record Heard(int count, int wrong, List<Integer> next) {}

  /** Notices what is missing, twice or out of order. */
  static final class Listener extends DurableStateActor<Word, Heard> {
    @Override
    protected Heard initial() {
      return new Heard(0, 0, List.of(0, 0));
    }

    @Override
    protected void protocol(Protocol<Word> on) {
      on.message(
          Word.class,
          word -> {
            Heard before = state();
            if (word.lane() < 0) {
              reply(before);
              return;
            }
            List<Integer> next = new ArrayList<>(before.next());
            int wrong = next.set(word.lane(), word.n() + 1) == word.n() ? 0 : 1;
            update(new Heard(before.count() + 1, before.wrong() + wrong, next));
          });
    }
  }

  @BeforeEach
  void startNodes() throws Exception {
    there = nodes.open("there", new EventBusOptions(), options -> options.store(this::counting));
    assertThat(await(there.<Word>spawn("/listener", Listener::new)).durable()).isTrue();
  }

  @AfterEach
  void closeAll() throws Exception {
    calm.set(true);
  }

  /** Counts how often {@code there} reads on in a mailbox. */
  private Store counting() {
    return Intercepted.of(
        Store.class,
        new ZooKeeperStore(nodes.options()),
        call -> {
          if (call.is("read")) {
            reads.incrementAndGet();
          }
          return call.proceed();
        });
  }

  private long handled() {
    return there.admin().counts().handled();
  }

  private void tellAndSee(ActorRef<Word> ref, int n) throws Exception {
    long before = handled();
    await(ref.tell(new Word(0, n)));
    Eventually.assertThat(() -> assertThat(handled()).isEqualTo(before + 1));
  }

  private Heard heard(ActorRef<Word> ref) throws Exception {
    return await(ref.ask(new Word(-1, 0), Heard.class));
  }

  /** Sends until the link is there and the first push has come. */
  private int warm(ActorRef<Word> ref) throws Exception {
    int n = 0;
    while (there.admin().metrics().links().pushesIn() < 2) {
      assertThat(n).as("tells without a push").isLessThan(1_000);
      tellAndSee(ref, n++);
    }
    return n;
  }

  @Test
  void mailIsHandledWithoutARead() throws Exception {
    ActorRef<Word> ref = here.durableRef("/listener", Word.class);
    int n = warm(ref);
    int least = FEW;
    // one that is later than its wait, on a busy machine, is read
    for (int round = 0; round < ROUNDS && least >= FEW / 5; round++) {
      int before = reads.get();
      for (int i = 0; i < FEW; i++) {
        tellAndSee(ref, n++);
      }
      least = Math.min(least, reads.get() - before);
    }
    assertThat(least).as("reads for %d tells", FEW).isLessThan(FEW / 5);
    Heard heard = heard(ref);
    assertThat(List.of(heard.count(), heard.wrong())).containsExactly(n, 0);
    assertThat(there.admin().metrics().commits().refused())
        .allSatisfy((why, n0) -> assertThat(n0).isZero());
  }

  @Test
  void lostPushesCostTimeOnly() throws Exception {
    ActorRef<Word> ref = here.durableRef("/listener", Word.class);
    int n = warm(ref);
    here.vertx()
        .eventBus()
        .addOutboundInterceptor(
            (DeliveryContext<Object> context) -> {
              if (calm.get() || !isFrame(context)) {
                context.next();
              }
            });
    int before = reads.get();
    for (int i = 0; i < FEW; i++) {
      tellAndSee(ref, n++);
    }
    assertThat(reads.get() - before).isGreaterThanOrEqualTo(FEW);
    Heard heard = heard(there.durableRef("/listener", Word.class));
    assertThat(List.of(heard.count(), heard.wrong())).containsExactly(n, 0);
  }

  private boolean isFrame(DeliveryContext<?> context) {
    return context.message().address().equals("callboard.node." + there.bootId());
  }

  @Test
  void allIsHandledOnceAndInOrderWhileFramesAreLostDelayedAndDoubled() throws Exception {
    ActorRef<Word> ref = here.durableRef("/listener", Word.class);
    int n = warm(ref);
    Vertx vertx = here.vertx();
    SplittableRandom random = new SplittableRandom(11);
    vertx
        .eventBus()
        .addOutboundInterceptor(
            (DeliveryContext<Object> context) -> {
              int choice = isFrame(context) && !calm.get() ? random.nextInt(8) : 7;
              if (choice == 1) {
                long unused = vertx.setTimer(1 + random.nextInt(20), id -> context.next());
              } else if (choice > 1) {
                context.next();
              }
              if (choice == 2 && context.body() instanceof byte[] frame) {
                vertx.eventBus().send("callboard.node." + there.bootId(), frame);
              }
            });
    ActorRef<Word> own = there.durableRef("/listener", Word.class);
    List<Future<Void>> told = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      told.add(ref.tell(new Word(0, n++)));
      if (i % 3 == 0) {
        told.add(own.tell(new Word(1, i / 3)));
      }
      if (told.size() >= 16) {
        await(Future.all(told));
        told.clear();
      }
    }
    await(Future.all(told));
    int sum = n + (MANY + 2) / 3;
    Eventually.assertThat(() -> assertThat(handled()).isGreaterThanOrEqualTo(sum));
    Heard heard = heard(own);
    assertThat(List.of(heard.count(), heard.wrong())).containsExactly(sum, 0);
    assertThat(there.admin().metrics().links().lost()).isPositive();
    assertThat(there.admin().metrics().links().repeated()).isPositive();
    System.out.printf(
        "pushes: %s there, %d reads for %d messages%n",
        there.admin().metrics().links(), reads.get(), sum);
  }
}
