package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.DeadLetter;
import io.callboard.proxy.ProxyActor;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Actors that pass messages on. */
class RoutersTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  sealed interface Job {
    record Do(String key) implements Job {}

    /** Job that keeps the handler until the test releases it. */
    record Hold(String key) implements Job {}

    /** Job that is answered, and then keeps the handler. */
    record Early(String key) implements Job {}

    /** Will answer when that never comes. */
    record Never() implements Job {}

    record Nothing(boolean later) implements Job {}

    record Silent() implements Job {}

    record Fail() implements Job {}

    /** Job that keeps the handler of that actor only. */
    record HoldAt(String path) implements Job {}

    record End() implements Job {}
  }

  record Done(String by, String key) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Map<String, Promise<Void>> held = new ConcurrentHashMap<>();

  @AfterEach
  void stop() throws Exception {
    held.values().forEach(Promise::tryComplete);
  }

  private final class Worker extends ProxyActor<Job> {
    @Override
    protected void protocol(Protocol<Job> on) {
      on.message(Job.Do.class, job -> reply(new Done(path().toString(), job.key())))
          .async(Job.Hold.class, this::holds)
          .async(
              Job.Early.class,
              early -> {
                reply(new Done(path().toString(), early.key()));
                return holds(new Job.Hold(early.key()));
              })
          .message(Job.Never.class, never -> replyWhen(Promise.promise().future()))
          .message(Job.Nothing.class, this::nothing)
          .message(Job.Silent.class, silent -> stage.sees("silent " + path()))
          .message(
              Job.Fail.class,
              fail -> {
                throw new IllegalStateException("as told by " + path());
              })
          .async(
              Job.HoldAt.class,
              at ->
                  path().toString().equals(at.path())
                      ? holds(new Job.Hold(at.path()))
                      : Future.succeededFuture())
          .message(Job.End.class, end -> stopSelf());
    }

    @SuppressWarnings("NullAway") // what a user may do all the same
    private void nothing(Job.Nothing nothing) {
      if (nothing.later()) {
        replyWhen(Future.succeededFuture());
      } else {
        reply(null);
      }
    }

    private Future<Void> holds(Job.Hold hold) {
      Promise<Void> promise = Promise.promise();
      held.put(hold.key(), promise);
      stage.sees(hold.key() + " " + path());
      return inTurn(promise.future())
          .onSuccess(v -> reply(new Done(path().toString(), hold.key())));
    }
  }

  private ActorRef<Job> pool(int size, Routing<Job> routing) throws Exception {
    return await(
        stage.callboard.spawn("/pool", Routers.pool(size, Worker::new, routing, QUICK), QUICK));
  }

  @Test
  void aPoolWhoseFactoryMakesNoActorDoesNotStart() {
    Future<?> pool =
        stage.callboard.spawn(
            "/empty", Routers.<Job>pool(2, () -> null, Routing.roundRobin()), QUICK);
    assertThatThrownBy(() -> await(pool))
        .hasMessageContaining("the factory of the routees made no actor");
  }

  private static Done ask(ActorRef<Job> router, Job job) throws Exception {
    return await(router.ask(job, Done.class, SOON));
  }

  /** Waits until the routee has finished everything that the router passed on to it before. */
  private void isOver(String routee) throws Exception {
    Done unused = ask(stage.callboard.ref(routee, Job.class), new Job.Do("behind it"));
  }

  /**
   * Returns the name of the answering routee, or why none answers: soon enough to ask again, as it
   * may have come to one that is held.
   */
  private static String by(ActorRef<Job> router) {
    return router
        .ask(new Job.Do("x"), Done.class, Duration.ofSeconds(2))
        .map(Done::by)
        .otherwise(cause -> String.valueOf(cause.getMessage()))
        .await();
  }

  @Test
  void roundRobinKeepsTheAsker() throws Exception {
    ActorRef<Job> pool = pool(3, Routing.roundRobin());
    List<String> by = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Done done = ask(pool, new Job.Do("" + i));
      assertThat(done.key()).isEqualTo("" + i);
      by.add(done.by());
    }
    assertThat(by)
        .containsExactly("/pool/1", "/pool/2", "/pool/3", "/pool/1", "/pool/2", "/pool/3");
  }

  @Test
  void aRouteeThatFailsIsRestartedAndTheAskerTold() throws Exception {
    ActorRef<Job> pool = pool(1, Routing.roundRobin());
    assertThatThrownBy(() -> ask(pool, new Job.Fail())).hasMessageContaining("as told by /pool/1");
    assertThat(ask(pool, new Job.Do("next")).by()).isEqualTo("/pool/1");
  }

  @Test
  void theLeastLoadedGetsWhatComesAlsoToldOnes() throws Exception {
    ActorRef<Job> pool = pool(3, Routing.leastLoaded());
    await(pool.tell(new Job.Hold("a")));
    stage.expect("a /pool/1");
    Future<Done> b = pool.ask(new Job.Hold("b"), Done.class, SOON);
    stage.expect("b /pool/2");
    for (int i = 0; i < 4; i++) {
      assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/3");
      isOver("/pool/3");
      await(pool.tell(new Job.Silent()));
      stage.expect("silent /pool/3");
      isOver("/pool/3");
    }
    await(pool.tell(new Job.Hold("c")));
    stage.expect("c /pool/3");
    held.get("b").complete();
    assertThat(await(b).by()).isEqualTo("/pool/2");
    isOver("/pool/2");
    assertThat(ask(pool, new Job.Do("y")).by()).isEqualTo("/pool/2");
    held.get("a").complete();
    held.get("c").complete();
    Eventually.assertThat(() -> assertThat(by(pool)).isEqualTo("/pool/1"));
  }

  @Test
  void aMessagePassedOnToAllCountsUntilTheLastIsDone() throws Exception {
    ActorRef<Job> pool =
        await(
            stage.callboard.spawn(
                "/pool",
                Routers.pool(
                    2,
                    Routers.pool(2, Worker::new, Routing.broadcast(), QUICK),
                    Routing.leastLoaded(),
                    QUICK),
                QUICK));
    await(pool.tell(new Job.HoldAt("/pool/1/2")));
    stage.expect("/pool/1/2 /pool/1/2");
    isOver("/pool/1/1");
    for (int i = 0; i < 3; i++) {
      assertThat(ask(pool, new Job.Do("x")).by()).startsWith("/pool/2/");
      isOver("/pool/2/1");
      isOver("/pool/2/2");
    }
    held.get("/pool/1/2").complete();
    Eventually.assertThat(() -> assertThat(by(pool)).startsWith("/pool/1/"));
  }

  /** A message whose asker gave up is not handled, but it is finished all the same. */
  @Test
  void aMessageThatNobodyWaitsForDoesNotCount() throws Exception {
    ActorRef<Job> pool = pool(2, Routing.leastLoaded());
    await(pool.tell(new Job.Hold("a")));
    stage.expect("a /pool/1");
    await(pool.tell(new Job.Hold("b")));
    stage.expect("b /pool/2");
    Duration moment = Duration.ofMillis(30);
    assertCode(() -> await(pool.ask(new Job.Do("late"), Done.class, moment)), Code.TIMEOUT); // to 1
    held.get("a").complete();
    Eventually.assertThat(() -> assertThat(by(pool)).isEqualTo("/pool/1"));
    isOver("/pool/1"); // its answer comes before it counts as done
    for (int i = 0; i < 5; i++) {
      assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/1");
      isOver("/pool/1");
    }
  }

  @Test
  void aRouteeThatHasAnsweredAndWorksOnIsLoaded() throws Exception {
    ActorRef<Job> pool = pool(2, Routing.leastLoaded());
    assertThat(ask(pool, new Job.Early("a")).by()).isEqualTo("/pool/1");
    stage.expect("a /pool/1");
    for (int i = 0; i < 5; i++) {
      assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/2");
      isOver("/pool/2");
    }
    held.get("a").complete();
    isOver("/pool/1");
    await(pool.tell(new Job.Hold("b")));
    assertThat(List.of(stage.next())).isSubsetOf("b /pool/1", "b /pool/2");
    String other = ask(pool, new Job.Do("x")).by();
    isOver(other);
    await(pool.tell(new Job.Hold("c")));
    stage.expect("c " + other);
  }

  @Test
  void anAnswerThatNeverComesIsNoLoad() throws Exception {
    ActorRef<Job> pool = pool(2, Routing.leastLoaded());
    await(pool.tell(new Job.Never()));
    await(pool.tell(new Job.Hold("b")));
    stage.expect("b /pool/2");
    isOver("/pool/1");
    for (int i = 0; i < 5; i++) {
      assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/1");
      isOver("/pool/1");
    }
  }

  @Test
  void nullIsNoAnswerAndWhoAskedIsTold() throws Exception {
    ActorRef<Job> pool = pool(1, Routing.leastLoaded());
    ActorRef<Done> listener =
        await(
            stage.callboard.spawn(
                "/listener", hearing(Done.class, done -> stage.sees("told " + done.by()))));
    for (boolean later : new boolean[] {false, true}) {
      assertCode(() -> ask(pool, new Job.Nothing(later)), Code.BAD_MESSAGE);
      long dead = stage.callboard.admin().counts().dead();
      await(pool.tell(new Job.Nothing(later), TellOptions.replyTo(listener)));
      assertThat(by(pool)).isEqualTo("/pool/1");
      assertThat(stage.callboard.admin().counts().dead()).isEqualTo(dead + 1);
      await(pool.tell(new Job.Nothing(later)));
    }
    assertThat(by(pool)).isEqualTo("/pool/1");
    assertThat(stage.callboard.admin().counts().failed()).isZero();
  }

  @Test
  void theSameKeyGoesToTheSameRoutee() throws Exception {
    ActorRef<Job> pool = pool(4, Routing.consistentHash(job -> ((Job.Do) job).key()));
    Map<String, String> byKey = new ConcurrentHashMap<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 40; i++) {
        String key = "customer-" + i;
        String by = ask(pool, new Job.Do(key)).by();
        assertThat(byKey.merge(key, by, (before, now) -> now)).isEqualTo(by);
        assertThat(byKey.get(key)).isEqualTo(by);
      }
    }
    assertThat(byKey.values()).contains("/pool/1", "/pool/2", "/pool/3", "/pool/4");
    assertThatThrownBy(() -> ask(pool, new Job.End()))
        .hasMessageContaining("router /pool cannot choose a routee")
        .hasMessageContaining("ClassCastException");
    assertThat(ask(pool, new Job.Do("customer-0")).by()).isEqualTo(byKey.get("customer-0"));
  }

  @Test
  void broadcastReachesAllAndAnActorIsToldAllAnswers() throws Exception {
    ActorRef<Job> pool = pool(3, Routing.broadcast());
    await(pool.tell(new Job.Silent()));
    assertThat(List.of(stage.next(), stage.next(), stage.next()))
        .containsExactlyInAnyOrder("silent /pool/1", "silent /pool/2", "silent /pool/3");
    ActorRef<Done> listener =
        await(
            stage.callboard.spawn(
                "/listener", hearing(Done.class, done -> stage.sees("told " + done.by()))));
    await(pool.tell(new Job.Do("x"), TellOptions.replyTo(listener)));
    assertThat(List.of(stage.next(), stage.next(), stage.next()))
        .containsExactlyInAnyOrder("told /pool/1", "told /pool/2", "told /pool/3");
    assertThat(ask(pool, new Job.Do("y")).by()).startsWith("/pool/");
  }

  @Test
  void theFirstAnswerWins() throws Exception {
    ActorRef<Job> one = await(stage.callboard.spawn("/one", Worker::new, QUICK));
    ActorRef<Job> two = await(stage.callboard.spawn("/two", Worker::new, QUICK));
    ActorRef<Job> gone = stage.callboard.ref("/gone", Job.class);
    await(one.tell(new Job.Hold("a")));
    stage.expect("a /one");
    ActorRef<Job> router =
        await(
            stage.callboard.spawn(
                "/first",
                Routers.group(
                    Job.class, List.of(gone, one, two), Routing.firstAnswer(Done.class, SOON))));
    assertThat(ask(router, new Job.Do("x")).by()).isEqualTo("/two");
  }

  @Test
  void theCauseIsToldWhenNobodyAnswers() throws Exception {
    BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();
    Runnable end = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Job> one = await(stage.callboard.spawn("/one", Worker::new, QUICK));
    ActorRef<Job> two = await(stage.callboard.spawn("/two", Worker::new, QUICK));
    Routing<Job> quick = Routing.firstAnswer(Done.class, Duration.ofSeconds(1));
    ActorRef<Job> router =
        await(stage.callboard.spawn("/first", Routers.group(Job.class, List.of(one, two), quick)));
    Routing<Job> patient = Routing.firstAnswer(Done.class, SOON);
    ActorRef<Job> late =
        await(stage.callboard.spawn("/late", Routers.group(Job.class, List.of(one, two), patient)));
    assertThatThrownBy(() -> ask(late, new Job.Fail()))
        .hasMessageContaining("none of the 2 routees of /late has answered")
        .hasMessageMatching("(?s).*as told by /(one|two).*");
    assertCode(() -> ask(router, new Job.Silent()), Code.TIMEOUT);
    assertThat(letters).isEmpty();
    await(router.tell(new Job.Silent()));
    DeadLetter letter = Waits.next(letters);
    assertThat(letter.receiver()).isEqualTo("/first");
    assertThat(letter.message()).isEqualTo(new Job.Silent());
    end.run();
  }

  @Test
  void aRouteeThatEndedIsReplacedAgainAndAgain() throws Exception {
    ActorRef<Job> pool = pool(2, Routing.roundRobin());
    for (int i = 0; i < 6; i++) {
      await(pool.tell(new Job.End()));
    }
    Eventually.assertThat(
        () -> {
          List<String> by = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            by.add(by(pool));
          }
          assertThat(by).contains("/pool/1", "/pool/2");
        });
    await(stage.callboard.stop("/pool"));
    assertThat(await(stage.callboard.admin().running())).isEmpty();
  }

  @Test
  void aRouteeThatItsSupervisorGaveUpIsReplacedAndItsMailIsTold() throws Exception {
    ActorOptions never =
        new ActorOptions().supervision(new ActorOptions().supervision().intensity(0, SOON));
    ActorRef<Job> pool =
        await(
            stage.callboard.spawn(
                "/pool", Routers.pool(1, Worker::new, Routing.roundRobin(), never), QUICK));
    for (int round = 0; round < 3; round++) {
      await(pool.tell(new Job.Hold("h" + round)));
      stage.expect("h" + round + " /pool/1");
      Future<Done> behind = pool.ask(new Job.Do("behind"), Done.class, SOON);
      Eventually.assertThat(
          () ->
              assertThat(stage.callboard.admin().running().await())
                  .anyMatch(one -> one.path().toString().equals("/pool/1") && one.queued() == 1));
      held.get("h" + round).fail("it broke");
      assertCode(() -> await(behind), Code.STOPPED);
      Eventually.assertThat(() -> assertThat(by(pool)).isEqualTo("/pool/1"));
    }
  }

  @Test
  void aRouteeThatEndedIsReplacedThoughTheMailboxOfThePoolIsFull() throws Exception {
    Promise<Void> gate = Promise.promise();
    ActorOptions held =
        new ActorOptions(QUICK)
            .mailboxLimit(1)
            .intercept(
                (self, message, next) -> {
                  if (message instanceof Job.Hold) {
                    stage.sees("the pool holds");
                    return gate.future();
                  }
                  return next.receive(message);
                });
    ActorRef<Job> pool =
        await(
            stage.callboard.spawn(
                "/pool", Routers.pool(1, Worker::new, Routing.roundRobin()), held));
    await(pool.tell(new Job.Hold("router")));
    stage.expect("the pool holds");
    await(pool.tell(new Job.Silent()));
    assertCode(() -> await(pool.tell(new Job.Silent())), Code.MAILBOX_FULL);
    await(stage.callboard.ref("/pool/1", Job.class).tell(new Job.End()));
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().await())
                .anyMatch(one -> one.path().toString().equals("/pool") && one.queued() > 1));
    gate.complete();
    Eventually.assertThat(() -> assertThat(by(pool)).isEqualTo("/pool/1"));
  }

  @Test
  void aPoolThatIsRestartedStartsItsRouteesAnew() throws Exception {
    ActorOptions failing =
        new ActorOptions(QUICK)
            .intercept(
                (self, message, next) -> {
                  if (message instanceof Job.Fail) {
                    throw new IllegalStateException("in the router");
                  }
                  return next.receive(message);
                });
    ActorRef<Job> pool =
        await(
            stage.callboard.spawn(
                "/pool", Routers.pool(2, Worker::new, Routing.roundRobin()), failing));
    assertThatThrownBy(() -> ask(pool, new Job.Fail())).hasMessageContaining("in the router");
    assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/1");
    assertThat(ask(pool, new Job.Do("x")).by()).isEqualTo("/pool/2");
  }

  @Test
  void withoutRouteesTheSenderIsTold() throws Exception {
    BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();
    Runnable end = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Job> router =
        await(
            stage.callboard.spawn(
                "/none", Routers.group(Job.class, "nobody", Routing.roundRobin())));
    assertCode(() -> ask(router, new Job.Do("x")), Code.NO_SUCH_ACTOR);
    await(router.tell(new Job.Do("y")));
    for (String key : List.of("x", "y")) {
      DeadLetter letter = Waits.next(letters);
      assertThat(letter.message()).isEqualTo(new Job.Do(key));
      assertThat(letter.cause()).hasMessage("router /none has no routees now");
    }
    end.run();
  }

  @Test
  void aDiscoveredGroupFollowsItsMembers() throws Exception {
    ActorOptions options = new ActorOptions(QUICK).group("workers");
    ActorRef<Job> router =
        await(
            stage.callboard.spawn(
                "/router",
                Routers.group(Job.class, "workers", Routing.roundRobin()),
                new ActorOptions().group("workers"))); // itself is no routee
    ActorRef<Job> one = await(stage.callboard.spawn("/one", Worker::new, options));
    Eventually.assertThat(() -> assertThat(by(router)).isEqualTo("/one"));
    await(one.tell(new Job.Fail())); // a restart changes nothing
    assertThat(ask(router, new Job.Do("x")).by()).isEqualTo("/one");
    await(stage.callboard.stop("/one"));
    Eventually.assertThat(() -> assertThat(by(router)).contains("has no routees now"));
    assertThat(stage.callboard.group("workers", Job.class).members()).containsExactly(router);
  }

  @Test
  void moreMembersThanANodeMayHaveAreRefused() throws Exception {
    ActorOptions options = new ActorOptions().onBus(false).group("many");
    for (int i = 0; i < 500; i++) {
      ActorRef<Job> unused = await(stage.callboard.spawn("/many/" + i, Worker::new, options));
    }
    assertCode(
        () -> await(stage.callboard.spawn("/many/more", Worker::new, options)), Code.UNAVAILABLE);
    await(stage.callboard.stop("/many/7"));
    ActorRef<Job> more = await(stage.callboard.spawn("/many/more", Worker::new, options));
    assertThat(stage.callboard.group("many", Job.class).members()).hasSize(500).contains(more);
  }
}
