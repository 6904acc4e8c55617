package io.callboard.workflows;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.supervision.Causes;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.StepRequests;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reports of runs, told to the actors of their instances. Thread-safe. */
final class InstanceReports implements StepReports {
  private static final Duration ASK = Duration.ofSeconds(5);

  private final Callboard callboard;
  private final AtomicReference<@Nullable StepRequests> here = new AtomicReference<>();

  InstanceReports(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Sets the requests of this node, which see what is accepted. */
  void requests(StepRequests requests) {
    here.set(requests);
  }

  @Override
  public void accepted(StepRunKey run, String node, String worker) {
    StepRequests requests = here.get();
    if (requests != null && node.equals(callboard.node())) {
      requests.accepted(run, worker);
    }
  }

  @Override
  public void given(StepRunKey run, WorkerId worker) {
    StepRequests requests = here.get();
    if (requests != null) {
      requests.given(run, worker);
    }
  }

  @Override
  public Future<Boolean> isOpen(StepRunKey run) {
    return ref(run)
        .ask(new InstanceCommand.IsOpen(run.step(), run.run()), InstanceAnswer.class, ASK)
        .map(answer -> !(answer instanceof InstanceAnswer.Open its) || its.open())
        .recover(
            cause ->
                cause instanceof CallboardException e
                        && e.code() == CallboardException.Code.BAD_MESSAGE
                    ? Future.succeededFuture(true) // a node of an earlier version has the instance
                    : Future.failedFuture(cause));
  }

  @Override
  public Future<Void> done(
      StepRunKey run, @Nullable String node, @Nullable String worker, StepOutcome outcome) {
    return tell(run, new InstanceCommand.Done(run.step(), run.run(), outcome, worker, now()))
        .recover(
            cause ->
                CallboardException.refusesMessage(cause)
                    ? tell(
                        run,
                        new InstanceCommand.Done(
                            run.step(), run.run(), unsendable(cause), worker, now()))
                    : Future.failedFuture(cause));
  }

  private static StepOutcome unsendable(Throwable cause) {
    return StepOutcome.failedForGood(
        "how it ended cannot be told to its instance: " + Causes.message(cause));
  }

  @Override
  public Future<Void> lost(StepRunKey run, @Nullable String node, String cause) {
    return tell(run, new InstanceCommand.Lost(run.step(), run.run(), cause, now()));
  }

  private Future<Void> tell(StepRunKey run, InstanceCommand command) {
    return ref(run).tell(command);
  }

  private ActorRef<InstanceCommand> ref(StepRunKey run) {
    return callboard.durableRef(InstanceActor.path(run.instance()), InstanceCommand.class);
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }
}
