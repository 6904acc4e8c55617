package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.folding;
import static io.callboard.testkit.Stage.QUICK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import io.callboard.codecs.Upcast;
import io.callboard.testkit.Stage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of effects that throw in an at-least-once actor, where effects leave before the commit: each
 * is an attempt of its message, which is parked when its attempts are used up, like any that keeps
 * failing.
 */
class EffectAttemptsTest {
  @RegisterExtension final Stage stage = new Stage();

  record Do(String what) {}

  record Done(int count) {}

  /** Fails in an effect, in what its answer is written with, or not at all. */
  static final class Worker extends DurableStateActor<Do, Done> {
    private final List<String> seen;

    Worker(List<String> seen) {
      this.seen = seen;
    }

    @Override
    protected Done initial() {
      return new Done(0);
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(Do.class, this::work);
    }

    private void work(Do message) {
      seen.add(message.what());
      update(new Done(state().count() + 1));
      if (message.what().equals("effect")) {
        afterCommit(
            () -> {
              throw new IllegalStateException("the effect fails");
            });
      } else if (message.what().equals("error")) {
        afterCommit(
            () -> {
              throw new NoClassDefFoundError("a class is missing");
            });
      }
      reply(state());
    }
  }

  private static ActorOptions options(DeliveryMode mode) {
    return new ActorOptions(QUICK).delivery(mode).attempts(3);
  }

  @Test
  void anEffectThatKeepsFailingIsParkedAfterItsAttemptsAndWhatLiesBehindIsHandledOnce()
      throws Exception {
    for (String bad : List.of("effect", "error")) {
      List<String> seen = new CopyOnWriteArrayList<>();
      String path = "/worker-" + bad;
      ActorRef<Do> ref = stage.callboard.durableRef(path, Do.class);
      await(ref.tell(new Do(bad)));
      await(ref.tell(new Do("good")));
      await(
          stage.callboard.spawn(path, () -> new Worker(seen), options(DeliveryMode.AT_LEAST_ONCE)));
      assertThat(await(ref.ask(new Do("last"), Done.class)).count())
          .as("state of the good one and the last, not of the parked one")
          .isEqualTo(2);
      assertThat(seen.stream().filter(bad::equals)).as("attempts of %s", bad).hasSize(3);
      assertThat(seen.stream().filter("good"::equals)).as("the good one").hasSize(1);
      assertThat(await(stage.callboard.admin().parked(10)))
          .as("parked")
          .anySatisfy(
              parked -> {
                assertThat(parked.actor()).hasToString(path);
                assertThat(new String(parked.bytes(), UTF_8))
                    .contains(bad.equals("error") ? "missing" : "effect");
              });
    }
  }

  @Named("effect-attempts")
  record Old(String what) {}

  /** Event whose older version cannot be read here, as the class that its step needs is missing. */
  @Named(value = "effect-attempts", version = 2)
  record Changed(String what) {
    @Upcast(from = 1)
    static ObjectNode from1(ObjectNode old) {
      throw new NoClassDefFoundError("com/acme/Gone");
    }
  }

  @Test
  void anErrorInAnUpcastBelongsToTheAttemptsOfItsMessage() throws Exception {
    for (DeliveryMode mode : List.of(DeliveryMode.AT_LEAST_ONCE, DeliveryMode.EXACTLY_ONCE)) {
      String path = "/reader-" + mode.key();
      await(stage.callboard.durableRef(path, Old.class).tell(new Old("old")));
      ActorRef<Changed> ref = stage.callboard.durableRef(path, Changed.class);
      await(ref.tell(new Changed("new")));
      await(
          stage.callboard.spawn(
              path,
              folding(Changed.class, new Done(0), (done, changed) -> new Done(done.count() + 1)),
              options(mode)));
      assertThat(await(ref.ask(new Changed("last"), Done.class)).count())
          .as("what lies behind the one that cannot be read, %s", mode)
          .isEqualTo(2);
      assertThat(await(stage.callboard.admin().parked(10)))
          .as("parked, %s", mode)
          .anySatisfy(
              parked -> {
                assertThat(parked.actor()).hasToString(path);
                assertThat(new String(parked.bytes(), UTF_8)).contains("com/acme/Gone");
              });
    }
  }
}
