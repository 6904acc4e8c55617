package io.callboard.workflows.internal.worker;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the desk on one node. Requests are collected while some are under way, so that under
 * load one message carries up to {@value #MOST_REQUESTS} of them. Thread-safe.
 *
 * <p>Each answer tells the epoch of the desk; without requests the desk is asked every few seconds.
 */
public final class DeskClient implements StepDispatch {
  private static final Logger log = LoggerFactory.getLogger(DeskClient.class);

  /** Most requests in a message; fewer if they are larger together than one may be. */
  private static final int MOST_REQUESTS = 50;

  /** Most messages with requests that are under way. */
  private static final int MOST_UNDER_WAY = 4;

  private static final Duration ASK = Duration.ofSeconds(5);
  private static final Duration PING = Duration.ofSeconds(5);

  private final Callboard callboard;
  private final BackgroundTasks tasks;
  private final BackgroundTasks pings;
  private final ActorRef<DeskCommand> desk;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong epoch = new AtomicLong();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;
  private boolean sends;

  private record Waiting(StepRequest request, Promise<RequestAnswer> answer) {}

  /** Creates a client. */
  public DeskClient(Callboard callboard) {
    this.callboard = callboard;
    this.tasks = callboard.tasks("the client of the workers' desk");
    this.pings = callboard.tasks("the look for the workers' desk");
    this.desk = callboard.ref(DeskActor.PATH, DeskCommand.class);
  }

  /** Begins to check whether another desk has taken over. */
  public void start() {
    pings.repeat(Repetition.every(PING).spread(0), () -> ask(List.of()));
  }

  /** Ends the checks. */
  public void close() {
    pings.close();
  }

  @Override
  public Future<RequestAnswer> request(StepRequest request) {
    Promise<RequestAnswer> answer = Promise.promise();
    boolean first;
    synchronized (waiting) {
      waiting.add(new Waiting(request, answer));
      first = !sends;
      sends = true;
    }
    if (first) {
      sendNext();
    }
    return answer.future();
  }

  private void sendNext() {
    tasks
        .call(
            () -> {
              send();
              return Future.succeededFuture();
            })
        .onFailure(this::failAll);
  }

  /** Fails what waits, when the node has closed. */
  private void failAll(Throwable cause) {
    List<Waiting> left;
    synchronized (waiting) {
      left = List.copyOf(waiting);
      waiting.clear();
      sends = false;
    }
    left.forEach(each -> each.answer().fail(cause));
  }

  /** Sends what waits, as far as it may be under way. */
  private void send() {
    while (true) {
      List<Waiting> some = new ArrayList<>();
      synchronized (waiting) {
        sends = false;
        while (underWay < MOST_UNDER_WAY && some.size() < MOST_REQUESTS && !waiting.isEmpty()) {
          some.add(waiting.remove());
        }
        if (some.isEmpty()) {
          return;
        }
        underWay++;
      }
      ask(some);
    }
  }

  private void ask(List<Waiting> some) {
    desk.ask(
            new DeskCommand.Request(some.stream().map(Waiting::request).toList()),
            DeskAnswer.class,
            ASK)
        .map(answer -> answers(answer, some.size()))
        .onComplete(
            asked -> {
              if (!some.isEmpty()) {
                synchronized (waiting) {
                  underWay--;
                }
              }
              int half = some.size() / 2;
              if (half > 0 && asked.failed() && CallboardException.refusesMessage(asked.cause())) {
                synchronized (waiting) {
                  underWay += 2;
                }
                ask(some.subList(0, half)); // they are large together, or one of them is bad
                ask(some.subList(half, some.size()));
                return;
              }
              for (int i = 0; i < some.size(); i++) {
                int place = i;
                some.get(i).answer().handle(asked.map(answers -> answers.get(place)));
              }
              sendNext();
            });
  }

  private List<RequestAnswer> answers(DeskAnswer answer, int asked) {
    if (!(answer instanceof DeskAnswer.Requested requested)
        || requested.answers().size() != asked) {
      throw new IllegalStateException(
          "the desk answered %d requests with %s".formatted(asked, answer));
    }
    if (!isPresent(requested.epoch())) {
      throw replaced();
    }
    return requested.answers();
  }

  /** Records the epoch of the desk, and calls the listeners if another desk has taken over. */
  public void isOpen(long now) {
    long before = epoch.getAndAccumulate(now, Math::max);
    if (before < now && before > 0) {
      log.info("another desk assigns the steps of workflows, in epoch {}", now);
      listeners.forEach(Runnable::run);
    }
  }

  @Override
  public Future<Void> cancel(StepRunKey run) {
    return desk.ask(new DeskCommand.Cancel(List.of(run)), DeskAnswer.class, ASK)
        .compose(this::known);
  }

  private Future<Void> known(DeskAnswer answer) {
    if (!(answer instanceof DeskAnswer.Known known)) {
      return Future.failedFuture(
          new IllegalStateException("the desk answered a cancellation with " + answer));
    } else if (known.refused() != null) {
      return Future.failedFuture(new IllegalStateException(known.refused()));
    }
    return known.epoch() == null || isPresent(known.epoch())
        ? Future.succeededFuture()
        : Future.failedFuture(replaced());
  }

  /** Returns whether an answer is that of the newest desk that is known: others forget it all. */
  private boolean isPresent(long of) {
    isOpen(of);
    return of >= epoch.get();
  }

  private static IllegalStateException replaced() {
    return new IllegalStateException("a desk that was replaced has answered");
  }

  @Override
  public Future<List<RunPlace>> places(String instance) {
    return desk.ask(new DeskCommand.Look(instance), DeskAnswer.class, ASK)
        .map(answer -> answer instanceof DeskAnswer.Places found ? found.places() : List.of());
  }

  /** Completes with workers and queues, as the desk knows them. */
  public Future<DeskAnswer.Overview> overview() {
    return desk.ask(new DeskCommand.Survey(), DeskAnswer.class, ASK)
        .map(DeskAnswer.Overview.class::cast);
  }

  @Override
  public Runnable onNewDesk(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
