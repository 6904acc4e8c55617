package io.callboard.testkit.turns;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.codecs.Named;
import io.callboard.proxy.ProxyActor;
import io.callboard.testkit.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Actors that call their verbs when a test says so. */
final class LateCalls {
  /** Result of a call that is not refused, but cannot be done with that message. */
  static final String UNFIT = "unfit";

  private LateCalls() {}

  /** Message to the actors. */
  @Named("late-calls")
  sealed interface Do {
    /** Leaves behind what will call that verb; its handler is done when it returns. */
    record Begin(String verb) implements Do {}

    /**
     * Leaves behind what will call that verb, in a handler that is declared to wait and whose
     * future completes soon.
     */
    record BeginAsync(String verb) implements Do {}

    /** Holds its turn until the test says go on, and answers. */
    record Hold() implements Do {}

    /** Lets a worker thread call the verb while its turn is open. */
    record Block(String verb) implements Do {}

    /** Calls the verb. */
    record Now(String verb) implements Do {}

    /** Calls the verb when the test says go on. */
    record Await(String verb) implements Do {}

    /** Asks for the number of events. */
    record Look() implements Do {}
  }

  /** The answer. */
  record Did(String what, int events) {}

  /** An event. */
  record Happened(int what) {}

  /** The state. */
  record Count(int events) {}

  /** Returns the name that an error contains. */
  static String called(String verb) {
    return switch (verb) {
      case "startPeriodicTimer" -> "startTimer";
      case "startPeriodicDurableTimer" -> "startDurableTimer";
      case "persistAsync", "persistAll" -> "persist";
      case "tell with options" -> "tell";
      case "forward over" -> "forward";
      default -> verb;
    };
  }

  /** Verbs that an actor can call, shared between the actor and its test. */
  static final class Verbs {
    private final Map<String, Runnable> byName = new HashMap<>();
    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CompletableFuture<String> go = new CompletableFuture<>();
    private volatile @Nullable Runnable late;

    /** Registers a verb; called by the actor. */
    void put(String verb, Runnable call) {
      byName.put(verb, call);
    }

    /** Calls a verb, on any thread. */
    void call(String verb) {
      Runnable call =
          Objects.requireNonNull(byName.get(verb), () -> "there is no verb called " + verb);
      String outcome;
      try {
        call.run();
        outcome = "accepted";
      } catch (IllegalStateException e) {
        boolean refused =
            String.valueOf(e.getMessage()).contains("outside of a turn")
                || String.valueOf(e.getMessage()).contains("which is not the actor's");
        outcome = refused ? "IllegalStateException: " + e.getMessage() : UNFIT;
      } catch (RuntimeException e) {
        outcome = e.toString();
      }
      outcomes.add(outcome);
    }

    void leave(Context here, String verb) {
      late = () -> here.runOnContext(v -> call(verb));
    }

    Future<String> hold(Context here) {
      Future<String> held = Future.fromCompletionStage(go, here);
      opened.countDown();
      return held;
    }

    /** Protocol of either actor; {@code answer} replies with the word. */
    void protocol(Protocol<Do> on, Vertx vertx, Consumer<String> answer) {
      on.message(Do.Begin.class, begin -> leave(vertx.getOrCreateContext(), begin.verb()))
          .async(
              Do.BeginAsync.class,
              begin -> {
                leave(vertx.getOrCreateContext(), begin.verb());
                return Future.succeededFuture();
              })
          .async(Do.Hold.class, begun -> hold(vertx.getOrCreateContext()).onSuccess(answer::accept))
          .async(
              Do.Block.class,
              block ->
                  vertx
                      .executeBlocking(
                          () -> {
                            call(block.verb());
                            return "blocked";
                          })
                      .onSuccess(answer::accept))
          .message(Do.Now.class, now -> call(now.verb()))
          .async(
              Do.Await.class,
              wait -> hold(vertx.getOrCreateContext()).onSuccess(held -> call(wait.verb())))
          .message(Do.Look.class, look -> answer.accept("looked"));
    }

    // By the test.

    void opened() {
      Waits.opened(opened);
    }

    void callLate() {
      Objects.requireNonNull(late, "nothing was left behind").run();
    }

    void goOn() {
      go.complete("held");
    }

    String outcome() throws InterruptedException {
      return Waits.next(outcomes);
    }
  }

  /** A volatile one; a proxy, which has the most of them. */
  static final class Volatile extends ProxyActor<Do> {
    private final Verbs verbs;

    Volatile(Verbs verbs) {
      this.verbs = verbs;
    }

    @Override
    protected Future<?> started() {
      ActorRef<Do> other = callboard().ref("/late/nobody", Do.class);
      Do message = new Do.Look();
      verbs.put("reply", () -> reply(new Did("late", 0)));
      verbs.put("replyTo", this::replyTo);
      verbs.put("refuse", () -> refuse(message, CallboardException.stopped("all")));
      verbs.put("forward", () -> forward(other, message));
      verbs.put("forward over", () -> forward(other, message, () -> {}));
      verbs.put("forwardAll", () -> forwardAll(List.of(other), message));
      verbs.put("replyWhen", () -> replyWhen(Future.succeededFuture(new Did("late", 0))));
      verbs.put("hold", () -> hold(message).fail(CallboardException.stopped("all")));
      verbs.put("afterCommit", () -> afterCommit(() -> {}));
      verbs.put("stash", this::stash);
      verbs.put("inTurn", () -> inTurn(Future.succeededFuture()));
      verbs.put("tell", () -> tell(other, message));
      verbs.put("tell with options", () -> tell(other, message, TellOptions.NONE));
      verbs.put("tellAll", () -> tellAll(List.of(other), message));
      verbs.put("unstashAll", this::unstashAll);
      verbs.put("become", () -> become(this::protocol));
      verbs.put("startTimer", () -> startTimer("t", Duration.ofHours(1), message));
      verbs.put("startPeriodicTimer", () -> startPeriodicTimer("t", Duration.ofHours(1), message));
      verbs.put("cancelTimer", () -> cancelTimer("t"));
      verbs.put("receiveTimeout", () -> receiveTimeout(Duration.ofHours(1), message));
      verbs.put("cancelReceiveTimeout", this::cancelReceiveTimeout);
      verbs.put("watch", () -> watch(other, end -> message));
      verbs.put("unwatch", () -> unwatch(other));
      verbs.put("spawnChild", () -> spawnChild("c", () -> new Volatile(verbs), new ActorOptions()));
      verbs.put("stopSelf", this::stopSelf);
      verbs.put("pipeToSelf", () -> pipeToSelf(Future.succeededFuture(), end -> message));
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      verbs.protocol(on, vertx, what -> reply(new Did(what, 0)));
    }
  }

  /** A durable one. */
  static final class Durable extends PersistentActor<Do, Happened, Count> {
    private final Verbs verbs;

    Durable(Verbs verbs) {
      this.verbs = verbs;
    }

    @Override
    protected Count initial() {
      return new Count(0);
    }

    @Override
    protected Count apply(Count count, Happened event) {
      return new Count(count.events() + 1);
    }

    @Override
    protected Future<?> flush(List<Object> work) {
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> started() {
      ActorRef<Do> other = callboard().ref("/late/nobody", Do.class);
      Do message = new Do.Look();
      Happened event = new Happened(1);
      verbs.put("reply", () -> reply(new Did("late", 0)));
      verbs.put("replyTo", this::replyTo);
      verbs.put("refuse", () -> refuse(message, CallboardException.stopped("all")));
      verbs.put("forward", () -> forward(other, message));
      verbs.put("afterCommit", () -> afterCommit(() -> {}));
      verbs.put("stash", this::stash);
      verbs.put("inTurn", () -> inTurn(Future.succeededFuture()));
      verbs.put("tell", () -> tell(other, message));
      verbs.put("tell with options", () -> tell(other, message, TellOptions.NONE));
      verbs.put("tellAll", () -> tellAll(List.of(other), message));
      verbs.put("unstashAll", this::unstashAll);
      verbs.put("persist", () -> persist(event));
      verbs.put("persistAsync", () -> persistAsync(event));
      verbs.put("persistAll", () -> persistAll(List.of(event, event)));
      verbs.put("enlist", () -> enlist("work"));
      verbs.put("deleteSelf", this::deleteSelf);
      verbs.put("deliver", () -> deliver(other, id -> message));
      verbs.put("confirm", () -> confirm(1));
      verbs.put("startDurableTimer", () -> startDurableTimer("d", Duration.ofHours(1), message));
      verbs.put(
          "startPeriodicDurableTimer",
          () -> startPeriodicDurableTimer("d", Duration.ofHours(1), message));
      verbs.put("cancelDurableTimer", () -> cancelDurableTimer("d"));
      verbs.put("place", this::place);
      verbs.put("startTimer", () -> startTimer("t", Duration.ofHours(1), message));
      verbs.put("startPeriodicTimer", () -> startPeriodicTimer("t", Duration.ofHours(1), message));
      verbs.put("cancelTimer", () -> cancelTimer("t"));
      verbs.put("receiveTimeout", () -> receiveTimeout(Duration.ofHours(1), message));
      verbs.put("cancelReceiveTimeout", this::cancelReceiveTimeout);
      verbs.put("watch", () -> watch(other, end -> message));
      verbs.put("unwatch", () -> unwatch(other));
      verbs.put("spawnChild", () -> spawnChild("c", () -> new Volatile(verbs), new ActorOptions()));
      verbs.put("stopSelf", this::stopSelf);
      verbs.put("pipeToSelf", () -> pipeToSelf(Future.succeededFuture(), end -> message));
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      verbs.protocol(on, vertx, what -> reply(new Did(what, state().events())));
    }
  }
}
