package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.folding;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A handler that settles at the last attempt of a message that otherwise would be parked. */
class LastAttemptTest {
  private static final int ATTEMPTS = 3;

  @RegisterExtension final Stage stage = new Stage();

  private final List<String> seen = new CopyOnWriteArrayList<>();

  record Work(String what) {}

  record Ended(String how) {}

  record Texts(List<String> all) {}

  private static final String WAITER = "/waiter";

  private static Texts heard(Texts texts, Ended ended) {
    return new Texts(Stream.concat(texts.all().stream(), Stream.of(ended.how())).toList());
  }

  /** Fails, or makes a turn that cannot be committed; tells who waits before that is given up. */
  private final class Worker extends DurableStateActor<Work, Texts> {
    @Override
    protected Texts initial() {
      return new Texts(List.of());
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, this::work);
    }

    private void work(Work work) {
      String why = beforeLastAttempt().map(Throwable::getMessage).orElse("");
      seen.add(work.what());
      ActorRef<Ended> waiter = callboard().durableRef(WAITER, Ended.class);
      if (!why.isEmpty()) {
        tell(waiter, new Ended(work.what() + " failed: " + why));
      } else if (work.what().equals("large")) {
        update(new Texts(List.of("x".repeat(1 << 20))));
      } else if (work.what().equals("bad")) {
        throw new IllegalStateException("no disk");
      } else {
        tell(waiter, new Ended(work.what() + " done"));
      }
    }
  }

  @Test
  void anAskerIsToldOnTheLastAttemptAndNothingIsParked() throws Exception {
    ActorOptions options =
        new ActorOptions(QUICK).delivery(DeliveryMode.EXACTLY_ONCE).attempts(ATTEMPTS);
    await(
        stage.callboard.spawn(
            WAITER, folding(Ended.class, new Texts(List.of()), LastAttemptTest::heard)));
    ActorRef<Work> worker = stage.callboard.durableRef("/worker", Work.class);
    for (String what : List.of("good", "bad", "good", "large", "good")) {
      await(worker.tell(new Work(what)));
    }
    await(stage.callboard.spawn("/worker", Worker::new, options));
    ActorRef<Ended> waiter = stage.callboard.durableRef(WAITER, Ended.class);
    Eventually.assertThat(
        () -> {
          List<String> told = await(waiter.ask(new Ended("asked"), Texts.class)).all();
          assertThat(told.stream().filter(each -> !each.equals("asked")).toList())
              .hasSize(5)
              .startsWith("good done", "bad failed: no disk", "good done")
              .endsWith("good done")
              .element(3)
              .asString()
              .startsWith("large failed: ")
              .contains("limit");
        });
    assertThat(seen.stream().filter("bad"::equals)).hasSize(ATTEMPTS);
    assertThat(seen.stream().filter("large"::equals))
        .as("the first time maybe in a commit with others, which is no attempt")
        .hasSizeBetween(ATTEMPTS, ATTEMPTS + 1);
    assertThat(await(stage.callboard.admin().parked(10))).isEmpty();
  }
}
