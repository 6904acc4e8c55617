package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.callboard.ActorRef;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.testkit.turns.LateCalls.Did;
import io.callboard.testkit.turns.LateCalls.Do;
import io.callboard.testkit.turns.LateCalls.Durable;
import io.callboard.testkit.turns.LateCalls.Verbs;
import io.callboard.testkit.turns.LateCalls.Volatile;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A call belongs to the turn that it was made in: every verb, of both kinds of actors, from every
 * thread and at every moment. What concerns the message at hand is accepted in its turn only; what
 * concerns the actor, whenever its own context calls.
 */
class LateCallsTest {
  private static Stage stage;
  private static int actors;

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage();
  }

  @AfterAll
  static void stop() throws Exception {
    stage.close();
    stage = null; // whoever counts what is left in this process finds nothing of it
  }

  /** Kind of thing to which a verb belongs. */
  private enum Bound {
    TURN,
    ACTOR
  }

  private static final List<String> OF_BOTH =
      List.of("reply", "replyTo", "refuse", "forward", "afterCommit", "stash", "inTurn");
  private static final List<String> OF_VOLATILE =
      List.of("forward over", "forwardAll", "replyWhen", "hold");
  private static final List<String> OF_DURABLE =
      List.of(
          "tell",
          "tell with options",
          "tellAll",
          "unstashAll",
          "persist",
          "persistAsync",
          "persistAll",
          "enlist",
          "deleteSelf",
          "deliver",
          "confirm",
          "startDurableTimer",
          "startPeriodicDurableTimer",
          "cancelDurableTimer",
          "place");
  private static final List<String> OF_THE_ACTOR =
      List.of(
          "startTimer",
          "startPeriodicTimer",
          "cancelTimer",
          "receiveTimeout",
          "cancelReceiveTimeout",
          "watch",
          "unwatch",
          "spawnChild",
          "stopSelf",
          "pipeToSelf");
  private static final List<String> OF_A_VOLATILE_ACTOR =
      List.of("tell", "tell with options", "tellAll", "unstashAll", "become");

  static Stream<Arguments> verbs() {
    Stream<Arguments> ofVolatile =
        Stream.concat(
            Stream.concat(OF_BOTH.stream(), OF_VOLATILE.stream())
                .map(verb -> arguments(false, verb, Bound.TURN)),
            Stream.concat(OF_THE_ACTOR.stream(), OF_A_VOLATILE_ACTOR.stream())
                .map(verb -> arguments(false, verb, Bound.ACTOR)));
    Stream<Arguments> ofDurable =
        Stream.concat(
            Stream.concat(OF_BOTH.stream(), OF_DURABLE.stream())
                .map(verb -> arguments(true, verb, Bound.TURN)),
            OF_THE_ACTOR.stream().map(verb -> arguments(true, verb, Bound.ACTOR)));
    return Stream.concat(ofVolatile, ofDurable);
  }

  private static ActorRef<Do> spawn(boolean durable, Verbs verbs) throws Exception {
    return spawn(stage, durable, verbs);
  }

  private static ActorRef<Do> spawn(Stage on, boolean durable, Verbs verbs) throws Exception {
    String path = "/late/" + actors++;
    return await(
        durable
            ? on.callboard.spawn(path, () -> new Durable(verbs))
            : on.callboard.spawn(path, () -> new Volatile(verbs)));
  }

  private static void assertRefused(String outcome, String verb, ActorRef<Do> actor) {
    assertThat(outcome)
        .as(verb)
        .startsWith("IllegalStateException: " + LateCalls.called(verb) + " of " + actor.path())
        .contains("pipeToSelf(future, …)");
  }

  private static void assertAsBound(
      Bound bound, String outcome, String verb, ActorRef<Do> actor, String atHand) {
    if (bound == Bound.TURN) {
      assertRefused(outcome, verb, actor);
      assertThat(outcome).contains("outside of a turn", atHand, "on.async(");
    } else {
      assertThat(outcome).as(verb).isEqualTo("accepted");
    }
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void aHandlerThatHasReturnedHasNoCallsInTheTurnOfAnotherMessage(
      boolean durable, String verb, Bound bound) throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    await(actor.tell(new Do.Begin(verb)));
    Future<Did> other = actor.ask(new Do.Hold(), Did.class);
    verbs.opened();
    verbs.callLate();
    assertAsBound(bound, verbs.outcome(), verb, actor, "while Hold is being handled");
    verbs.goOn();
    assertThat(await(other)).as("the other's answer").isEqualTo(new Did("held", 0));
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void aTurnThatIsOverHasNoCallsInTheTurnOfAnotherMessage(boolean durable, String verb, Bound bound)
      throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    await(actor.tell(new Do.BeginAsync(verb)));
    Future<Did> other = actor.ask(new Do.Hold(), Did.class);
    verbs.opened();
    verbs.callLate();
    assertAsBound(
        bound,
        verbs.outcome(),
        verb,
        actor,
        "the turn of BeginAsync, which made the call, has ended, while Hold is being handled");
    verbs.goOn();
    assertThat(await(other)).as("the other's answer").isEqualTo(new Did("held", 0));
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void betweenTwoTurnsNothingIsCalledOfAMessage(boolean durable, String verb, Bound bound)
      throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    await(actor.tell(new Do.Begin(verb)));
    await(actor.ask(new Do.Look(), Did.class));
    verbs.callLate();
    assertAsBound(bound, verbs.outcome(), verb, actor, "");
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void anotherThreadCallsNothing(boolean durable, String verb, Bound bound) throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    Future<Did> open = actor.ask(new Do.Hold(), Did.class);
    verbs.opened();
    Thread thread = new Thread(() -> verbs.call(verb), "somebody");
    thread.start();
    String outcome = verbs.outcome();
    assertRefused(outcome, verb, actor);
    assertThat(outcome).contains("thread somebody");
    verbs.goOn();
    assertFails(durable, open, verb, actor);
    thread.join();
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void callsOfAThreadThatTheTurnIsBlockedByAreRefused(boolean durable, String verb, Bound bound)
      throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    Future<Did> open = actor.ask(new Do.Block(verb), Did.class);
    assertRefused(verbs.outcome(), verb, actor);
    assertFails(durable, open, verb, actor);
  }

  /**
   * Asserts that a durable turn fails: the call may have been its own, and without it the turn
   * would be half stored or answered. The answer of a volatile actor has left before.
   */
  private static void assertFails(
      boolean durable, Future<Did> turn, String verb, ActorRef<Do> actor) throws Exception {
    String refused = LateCalls.called(verb) + " of " + actor.path();
    if (durable) {
      assertThatThrownBy(() -> await(turn)).as("the open turn").hasMessageContaining(refused);
    }
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().failures(actor.path().toString()).await())
                .as("failures")
                .anySatisfy(
                    failure -> {
                      assertThat(failure.kind()).isEqualTo(Failure.Kind.THROWN);
                      assertThat(failure.cause()).contains(refused);
                    }));
  }

  @ParameterizedTest(name = "durable: {0}, {1}")
  @MethodSource("verbs")
  void aHandlerAndWhatItsFutureWaitsForMayCall(boolean durable, String verb, Bound bound)
      throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(durable, verbs);
    var unused = actor.ask(new Do.Now(verb), Did.class);
    assertThat(verbs.outcome()).as("in the handler").isIn("accepted", LateCalls.UNFIT);
    Verbs others = new Verbs();
    ActorRef<Do> waits = spawn(durable, others);
    var asked = waits.ask(new Do.Await(verb), Did.class);
    others.opened();
    others.goOn();
    assertThat(others.outcome()).as("while it is waited for").isIn("accepted", LateCalls.UNFIT);
  }

  @Test
  void aDurableActorThatStopsItselfAnswersFirst() throws Exception {
    Verbs verbs = new Verbs();
    ActorRef<Do> actor = spawn(true, verbs);
    await(actor.tell(new Do.Begin("stopSelf")));
    Future<Did> other = actor.ask(new Do.Hold(), Did.class);
    verbs.opened();
    verbs.callLate();
    assertThat(verbs.outcome()).isEqualTo("accepted");
    verbs.goOn();
    assertThat(await(other)).as("the last answer").isEqualTo(new Did("held", 0));
  }

  @Test
  void aRefusedCallIsInTheHistoryThoughItsFutureWasDropped() throws Exception {
    // a node notes the first refusals of every ten seconds, and the other tests make many
    try (Stage own = new Stage()) {
      for (boolean durable : List.of(false, true)) {
        Verbs verbs = new Verbs();
        ActorRef<Do> actor = spawn(own, durable, verbs);
        await(actor.tell(new Do.Begin("reply")));
        await(actor.ask(new Do.Look(), Did.class));
        verbs.callLate();
        verbs.outcome();
        List<Failure> failures = await(own.callboard.admin().failures(actor.path().toString()));
        assertThat(failures)
            .anySatisfy(
                failure -> assertThat(failure.cause()).contains("reply of " + actor.path()));
      }
    }
  }
}
