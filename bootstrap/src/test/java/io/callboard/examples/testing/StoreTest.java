package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.reference.Store;
import io.callboard.examples.reference.Store.Request;
import io.callboard.examples.reference.Store.Value;
import io.callboard.testkit.actor.Effect.Became;
import io.callboard.testkit.actor.Effect.Forwarded;
import io.callboard.testkit.actor.Effect.ToldSelf;
import io.callboard.testkit.actor.TestedActor;
import org.junit.jupiter.api.Test;

/** A volatile actor that tells itself something, and one that passes messages on. */
class StoreTest {
  @Test
  void answersWhenItIsConnected() {
    TestedActor<Request> store = TestedActor.of(Store::new).start();
    assertThat(store.started().of(ToldSelf.class)).hasSize(1);
    assertThat(store.started().of(Became.class)).hasSize(1);
    assertThat(store.tell(new Request.Read("a")).answer(Value.class))
        .isEqualTo(new Value("value of a"));
  }

  @Test
  void theFrontPassesReadsOn() {
    TestedActor<Request.Read> front = TestedActor.of(Store.Front::new).start();
    assertThat(front.tell(new Request.Read("a")).list())
        .containsExactly(new Forwarded("/store", new Request.Read("a")));
  }
}
