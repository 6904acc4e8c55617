package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of how a handler waits for other futures, and of what does not belong to a turn. */
class InTurnTest {
  @RegisterExtension final Stage stage = new Stage();

  sealed interface Ask {
    /** Asks for the future that the start has begun. */
    record OfTheStart() implements Ask {}

    /** Asks for a future that the first of these asks has begun. */
    record OfTheFirst() implements Ask {}

    /** Asks for a future that another thread completes while its handler runs. */
    record OfAThread() implements Ask {}

    /** Asks for a stage of the JDK. */
    record OfTheJdk() implements Ask {}

    /** Tells a ref when its turn has ended. */
    record TellLate() implements Ask {}

    /** Fails with its turn open. */
    record Fail() implements Ask {}

    /** Asks for the count; the actor looks while a caller waits. */
    record Look() implements Ask {}

    /** Pipes what the test completes. */
    record Pipe() implements Ask {}

    /** Reports that it was completed. */
    record Piped() implements Ask {}
  }

  record Count(int n) {}

  private final Promise<Integer> atStart = Promise.promise();
  private final Promise<Integer> first = Promise.promise();
  private final CompletableFuture<Integer> jdk = new CompletableFuture<>();
  private final Promise<Void> fails = Promise.promise();
  private final Promise<Void> piped = Promise.promise();
  private final CountDownLatch looking = new CountDownLatch(1);
  private final CountDownLatch looked = new CountDownLatch(1);
  private volatile Runnable late = () -> {};

  private final class Counter extends DurableStateActor<Ask, Count> {
    private final ActorRef<Ask> probe;
    private Future<Integer> started = Future.succeededFuture();
    private Future<Integer> shared;

    Counter(ActorRef<Ask> probe) {
      this.probe = probe;
    }

    @Override
    protected Count initial() {
      return new Count(0);
    }

    @Override
    protected Future<?> started() {
      Context here = vertx.getOrCreateContext();
      started = Future.fromCompletionStage(atStart.future().toCompletionStage(), here);
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Ask> on) {
      on.async(Ask.OfTheStart.class, ask -> inTurn(started).onSuccess(this::counted))
          .async(Ask.OfTheFirst.class, ask -> inTurn(shared()).onSuccess(this::counted))
          .async(Ask.OfAThread.class, ask -> ofAThread())
          .async(Ask.OfTheJdk.class, ask -> inTurn(jdk).onSuccess(this::counted))
          .message(
              Ask.TellLate.class,
              tell -> {
                Context here = vertx.getOrCreateContext();
                late = () -> here.runOnContext(v -> probe.tell(new Ask.Piped()));
              })
          .async(
              Ask.Fail.class,
              fail -> {
                stage.sees("fails");
                return inTurn(fails.future());
              })
          .query(Ask.Look.class, look -> look())
          .message(Ask.Pipe.class, pipe -> pipeToSelf(piped.future(), outcome -> new Ask.Piped()))
          .message(Ask.Piped.class, done -> stage.sees("piped"));
    }

    private Count look() {
      looking.countDown();
      Waits.opened(looked);
      return state();
    }

    private Future<Integer> ofAThread() {
      Promise<Integer> elsewhere = Promise.promise();
      Future<Integer> here = inTurn(elsewhere.future()).onSuccess(this::counted);
      CompletableFuture.runAsync(() -> elsewhere.complete(7)).join();
      stage.sees(here.isComplete() ? "complete before its callbacks" : "waits");
      return here;
    }

    private Future<Integer> shared() {
      if (shared == null) {
        Context here = vertx.getOrCreateContext();
        shared = Future.fromCompletionStage(first.future().toCompletionStage(), here);
      }
      return shared;
    }

    private void counted(int by) {
      update(new Count(state().n() + by));
      reply(state());
    }
  }

  private ActorRef<Ask> counter() throws Exception {
    ActorRef<Ask> probe =
        await(
            stage.callboard.spawn(
                "/probe",
                hearing(Ask.class, ask -> stage.sees("told " + ask.getClass().getSimpleName()))));
    return await(
        stage.callboard.spawn(
            "/counter", () -> new Counter(probe), new ActorOptions(Stage.QUICK).attempts(1)));
  }

  @Test
  void aFutureThatTheStartHasBegunIsWaitedFor() throws Exception {
    Future<Count> answer = counter().ask(new Ask.OfTheStart(), Count.class);
    atStart.complete(7);
    assertThat(await(answer).n()).isEqualTo(7);
  }

  @Test
  void aFutureThatAnEarlierTurnHasBegunIsWaitedFor() throws Exception {
    ActorRef<Ask> counter = counter();
    Future<Count> one = counter.ask(new Ask.OfTheFirst(), Count.class);
    Future<Count> two = counter.ask(new Ask.OfTheFirst(), Count.class);
    first.complete(7);
    assertThat(await(one).n()).isEqualTo(7);
    assertThat(await(two).n()).isEqualTo(14);
  }

  /**
   * A future that is complete before its callbacks have run would let the turn end without them.
   */
  @Test
  void aFutureThatAnotherThreadCompletesIsCompleteInTheTurn() throws Exception {
    Future<Count> answer = counter().ask(new Ask.OfAThread(), Count.class);
    stage.expect("waits");
    assertThat(await(answer).n()).isEqualTo(7);
  }

  @Test
  void aFutureThatTheJdkCompletesIsWaitedFor() throws Exception {
    Future<Count> answer = counter().ask(new Ask.OfTheJdk(), Count.class);
    jdk.complete(7);
    assertThat(await(answer).n()).isEqualTo(7);
  }

  /** The message would leave with the turn of another one, or not at all. */
  @Test
  void aMessageThatARefIsToldLateLeavesAtOnce() throws Exception {
    ActorRef<Ask> counter = counter();
    await(counter.tell(new Ask.TellLate()));
    await(counter.tell(new Ask.Fail()));
    stage.expect("fails");
    late.run();
    stage.expect("told Piped");
    fails.fail("as it should");
  }

  /** The message would fail the query, which only reads and did not cause it. */
  @Test
  void aMessageThatIsPipedMeanwhileIsNoPartOfAQuery() throws Exception {
    ActorRef<Ask> counter = counter();
    await(counter.tell(new Ask.Pipe()));
    Future<Count> count = counter.ask(new Ask.Look(), Count.class);
    Waits.opened(looking);
    piped.complete();
    looked.countDown();
    assertThat(await(count).n()).isZero();
    stage.expect("piped");
  }

  private static final class Drops extends Actor<Ask> {
    private final boolean others;

    Drops(boolean others) {
      this.others = others;
    }

    @Override
    protected void protocol(Protocol<Ask> on) {
      if (others) {
        on.others(this::waits);
      } else {
        on.message(Ask.Look.class, this::waits).others(other -> {});
      }
    }

    private Future<?> waits(Ask ask) {
      return Future.succeededFuture(ask);
    }
  }

  @Test
  void aMethodWhoseFutureWouldBeDroppedFailsTheStart() {
    assertThatThrownBy(() -> await(stage.callboard.spawn("/drops", () -> new Drops(false))))
        .hasMessageContaining("on.message(Look.class, …::waits): waits returns a future")
        .hasMessageContaining("declare it with on.async(Look.class, …)");
    assertThatThrownBy(() -> await(stage.callboard.spawn("/drops-all", () -> new Drops(true))))
        .hasMessageContaining("on.others(Ask.class, …::waits)");
    assertThatThrownBy(() -> TestedActor.of(() -> new Drops(false)).start())
        .as("in a unit test")
        .hasMessageContaining("declare it with on.async(Look.class, …)");
  }
}
