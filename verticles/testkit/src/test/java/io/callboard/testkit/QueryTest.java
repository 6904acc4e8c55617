package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.testkit.actor.TestedActor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueryTest {
  sealed interface Ask {
    record Add(int amount) implements Ask {}

    record Total() implements Ask {}

    record Wrong() implements Ask {}

    record Starts() implements Ask {}

    record Swallows() implements Ask {}
  }

  record Added(int amount) {}

  record Sum(int total) {}

  @RegisterExtension final Stage stage = new Stage();

  static final class Adder extends PersistentActor<Ask, Added, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Added added) {
      return new Sum(sum.total() + added.amount());
    }

    @Override
    protected void protocol(Protocol<Ask> on) {
      on.message(Ask.Add.class, add -> persist(new Added(add.amount())))
          .query(Ask.Total.class, total -> state())
          .query(
              Ask.Starts.class,
              starts -> {
                startTimer("later", Duration.ofDays(1), new Ask.Add(1));
                return state();
              })
          .query(
              Ask.Swallows.class,
              swallows -> {
                try {
                  persist(new Added(1_000));
                } catch (IllegalStateException e) {
                  return state(); // as if nothing had been
                }
                return state();
              })
          .query(
              Ask.Wrong.class,
              wrong -> {
                persist(new Added(1_000));
                return state();
              });
    }
  }

  private ActorRef<Ask> adder() throws Exception {
    ActorOptions options = new ActorOptions(Stage.QUICK).attempts(1);
    await(stage.callboard.spawn("/adder", Adder::new, options));
    return stage.callboard.durableRef("/adder", Ask.class);
  }

  @Test
  void tellsAllThatWasToldBefore() throws Exception {
    ActorRef<Ask> adder = adder();
    for (int i = 1; i <= 100; i++) {
      await(adder.tell(new Ask.Add(1)));
      assertThat(total(adder)).isEqualTo(i);
    }
  }

  private static int total(ActorRef<Ask> adder) throws Exception {
    return await(adder.ask(new Ask.Total(), Sum.class, Duration.ofSeconds(10))).total();
  }

  @Test
  void changesNothing() throws Exception {
    ActorRef<Ask> adder = adder();
    for (Ask wrong : List.of(new Ask.Wrong(), new Ask.Starts(), new Ask.Swallows())) {
      assertThatThrownBy(() -> await(adder.ask(wrong, Sum.class, Duration.ofSeconds(10))))
          .as(wrong.toString())
          .hasMessageContaining("a query only reads");
    }
    assertThat(total(adder)).isZero();
  }

  @Test
  void aTestedOneChangesNothingEither() {
    TestedActor<Ask> tested = TestedActor.of(Adder::new).start();
    tested.tell(new Ask.Add(3));
    assertThat(tested.tell(new Ask.Total()).answer(Sum.class)).isEqualTo(new Sum(3));
    assertThat(tested.failure(() -> tested.tell(new Ask.Wrong())))
        .hasMessageContaining("a query only reads");
  }
}
