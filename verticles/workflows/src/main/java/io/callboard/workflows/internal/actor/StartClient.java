package io.callboard.workflows.internal.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time.Alarm;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.internal.starts.StartReply;
import io.callboard.workflows.model.BrakeView;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate of this node, and its reports to the start desk: one a second while something has
 * changed or waits, and every five seconds otherwise. Thread-safe.
 */
public final class StartClient {
  private static final Logger log = LoggerFactory.getLogger(StartClient.class);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration ASK = Duration.ofSeconds(5);
  private static final Duration MOMENT = Duration.ofMillis(100);

  /** Number of such intervals after which a report is sent that says nothing new. */
  private static final int ANYWAY = 5;

  private final Callboard callboard;
  private final BackgroundTasks tasks;
  private final ActorRef<StartCommand> desk;
  private final StartGate gate;
  private long reported = -1;
  private int quiet;
  private boolean underWay;
  private @Nullable Promise<Void> asker;

  /** Creates the client of a node. */
  public StartClient(Callboard callboard) {
    this.callboard = callboard;
    this.tasks = callboard.tasks("the starts of workflow instances");
    this.desk = callboard.ref(StartDeskActor.PATH, StartCommand.class);
    this.gate = new StartGate(callboard.node(), callboard.bootId());
  }

  /** Begins to report. */
  public void start() {
    tasks.run(this::due);
    tasks.repeat(Repetition.every(EVERY).spread(0), this::due);
  }

  /** Returns the gate. */
  public StartGate gate() {
    return gate;
  }

  private void due() {
    quiet++;
    if (!underWay && (gate.waits() || gate.changes() != reported || quiet >= ANYWAY)) {
      report();
    }
  }

  /** Reports now, and completes when the desk has answered, or has not in time. */
  public Future<Void> refresh() {
    return tasks.call(this::refreshed);
  }

  private Future<Void> refreshed() {
    if (underWay) {
      return later().compose(passed -> refreshed());
    }
    Promise<Void> refreshed = Promise.promise();
    asker = refreshed;
    report();
    return refreshed.future();
  }

  /** Completes after a moment. */
  public Future<Void> later() {
    return tasks.pause(MOMENT);
  }

  private void report() {
    quiet = 0;
    underWay = true;
    reported = gate.changes();
    Promise<Void> told = asker;
    asker = null;
    desk.ask(new StartCommand.Report(gate.report()), StartReply.class, ASK)
        .onComplete(
            asked ->
                tasks
                    .call(() -> answered(asked))
                    .onComplete(
                        done -> {
                          if (told != null) {
                            told.handle(done);
                          }
                        }));
  }

  private Future<Void> answered(AsyncResult<StartReply> asked) {
    underWay = false;
    if (asked.succeeded() && asked.result() instanceof StartReply.Answered answered) {
      gate.answered(answered.answer(), callboard.time().clock().instant()).forEach(this::begin);
    } else {
      reported = -1;
      log.debug("the start desk does not answer", asked.cause());
    }
    return Future.succeededFuture();
  }

  /** Tells an instance to begin, until it knows. */
  private void begin(String instance) {
    callboard
        .durableRef(InstanceActor.path(instance), InstanceCommand.class)
        .tell(new InstanceCommand.Begin())
        .onFailure(
            cause -> {
              if (gate.runs(instance)) {
                Alarm unused = tasks.after(EVERY, () -> begin(instance));
              }
            });
  }

  /** Returns the brakes that are or were on, or are overridden. */
  public Future<List<BrakeView>> brakes() {
    return ask(new StartCommand.Brakes());
  }

  /** Returns the brake of a definition. */
  public Future<BrakeView> brake(String definition) {
    return ask(new StartCommand.Brake(definition)).map(found -> found.get(0));
  }

  private Future<List<BrakeView>> ask(StartCommand command) {
    return desk.ask(command, StartReply.class, ASK)
        .map(answer -> ((StartReply.Brakes) answer).brakes());
  }

  /** Ends the reports. */
  public void close() {
    tasks.close();
  }
}
