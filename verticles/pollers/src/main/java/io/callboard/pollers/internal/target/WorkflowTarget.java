package io.callboard.pollers.internal.target;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.workflows.Intake;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Target that starts an instance of a workflow for each message, by name or by a builder. */
public final class WorkflowTarget implements Target {
  /** Time for which the answer of a builder is awaited. */
  private static final Duration BUILD = Duration.ofSeconds(5);

  private static final ExponentialBackoff LOOKS =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(500));

  private final Callboard callboard;
  private final Workflows workflows;
  private final SourceConfig config;
  private final String told;
  private final boolean onComplete;
  private volatile boolean isKnown;

  WorkflowTarget(Callboard callboard, Workflows workflows, SourceConfig config, String told) {
    this.callboard = callboard;
    this.workflows = workflows;
    this.config = config;
    this.told = told;
    this.onComplete = config.ack() == AckMode.ON_COMPLETE;
  }

  @Override
  public Future<Outcome> start(String key, String digest, JsonNode data) {
    Intake intake = intake(key, data).digest(digest);
    return known()
        .compose(
            found ->
                found
                    ? accepted(intake)
                    : Future.failedFuture(
                        new WorkflowException(WorkflowException.Code.NOT_FOUND, missing())));
  }

  private String missing() {
    return config.target() instanceof SourceTarget.AskBuilder ask
        ? "this node has no builder %s: register it on all nodes".formatted(ask.builder())
        : "there is no workflow %s: put its definition"
            .formatted(config.target().onlyDefinition().orElse(""));
  }

  private Future<Outcome> accepted(Intake intake) {
    return workflows
        .starts()
        .accept(
            onComplete ? intake.receipt(callboard.durableRef(told, MessageReceipt.class)) : intake)
        .compose(
            receipt ->
                onComplete
                    ? Future.succeededFuture(outcome(receipt, true))
                    : decided(receipt, callboard.time().nanoTime(), 1));
  }

  /** Completes when the builder has said what starts, or has not in time. */
  private Future<Outcome> decided(MessageReceipt receipt, long sinceNanos, int look) {
    boolean isOver = callboard.time().nanoTime() - sinceNanos > BUILD.toNanos();
    if (receipt.state() != MessageReceipt.State.BUILDING || isOver) {
      return Future.succeededFuture(accepted(receipt));
    }
    return callboard
        .time()
        .pause(callboard.vertx().getOrCreateContext(), LOOKS.longest(look))
        .compose(v -> workflows.starts().receipt(receipt.id()))
        .compose(again -> decided(again, sinceNanos, look + 1));
  }

  /** Returns what a receipt says of a message that is to be started, and no more. */
  private static Outcome accepted(MessageReceipt receipt) {
    return switch (receipt.state()) {
      case BUILDING ->
          receipt.error() == null
              ? new Outcome.Undecided("its builder has not answered yet", false)
              : askedAgain(receipt);
      case FAILED -> new Outcome.Hopeless(String.valueOf(receipt.error()));
      case STARTED, ENDED, EMPTY -> new Outcome.Begun(receipt.instance(), false);
    };
  }

  private static Outcome askedAgain(MessageReceipt receipt) {
    return new Outcome.Undecided("its builder is asked again: " + receipt.error(), true);
  }

  private Intake intake(String key, JsonNode data) {
    if (config.target() instanceof SourceTarget.AskBuilder ask) {
      return Intake.built(key, ask.builder(), ask.message().fill("/message", data));
    }
    SourceTarget.StartWorkflow start = (SourceTarget.StartWorkflow) config.target();
    return Intake.of(key, start.definition(), start.input().fill("/input", data));
  }

  /**
   * Returns the outcome of an attempt by the receipt of its message.
   *
   * @param isTold whether its end is told
   */
  public static Outcome outcome(MessageReceipt receipt, boolean isTold) {
    return switch (receipt.state()) {
      case BUILDING ->
          receipt.error() == null ? new Outcome.Begun(null, isTold) : askedAgain(receipt);
      case STARTED -> new Outcome.Begun(receipt.instance(), isTold);
      case EMPTY -> new Outcome.Succeeded(null, "EMPTY");
      case FAILED -> new Outcome.Failed(String.valueOf(receipt.error()));
      case ENDED -> ended(receipt);
    };
  }

  private static Outcome ended(MessageReceipt receipt) {
    InstanceState state = Objects.requireNonNull(receipt.outcome(), "its instance has an outcome");
    return switch (state) {
      case SUCCEEDED, SUCCEEDED_WITH_WARNINGS ->
          new Outcome.Succeeded(receipt.instance(), state.name());
      case CANCELLED ->
          new Outcome.Hopeless("its instance %s was cancelled".formatted(receipt.instance()));
      default ->
          new Outcome.Failed(
              "its instance %s failed%s"
                  .formatted(
                      receipt.instance(), receipt.error() == null ? "" : ": " + receipt.error()));
    };
  }

  @Override
  public Future<TargetRoom> room() {
    return known()
        .compose(
            found ->
                found
                    ? config
                        .target()
                        .onlyDefinition()
                        .map(this::roomOf)
                        .orElse(Future.succeededFuture(TargetRoom.ANY))
                    : Future.succeededFuture(new TargetRoom(0, missing())));
  }

  private Future<TargetRoom> roomOf(String definition) {
    return workflows
        .brakes()
        .otherwise(List.of()) // the desk is away; what begins now waits for nothing
        .map(brakes -> room(definition, brakes));
  }

  /** Asks for a definition until it is known once: none is ever removed. */
  private Future<Boolean> known() {
    if (config.target() instanceof SourceTarget.AskBuilder ask) {
      return Future.succeededFuture(workflows.starts().hasBuilder(ask.builder()));
    } else if (isKnown) {
      return Future.succeededFuture(true);
    }
    return workflows
        .definition(config.target().onlyDefinition().orElse(""))
        .map(
            found -> {
              isKnown = true;
              return true;
            })
        .recover(
            cause ->
                cause instanceof WorkflowException e && e.code() == WorkflowException.Code.NOT_FOUND
                    ? Future.succeededFuture(false)
                    : Future.failedFuture(cause));
  }

  /** One may wait for the credit of a brake, or a brake that is open would find no probe. */
  private static TargetRoom room(String definition, List<BrakeView> brakes) {
    for (BrakeView brake : brakes) {
      Integer credit = brake.credit();
      if (brake.definition().equals(definition) && credit != null) {
        int free = credit - brake.running() - brake.waiting();
        return new TargetRoom(Math.max(free, brake.waiting() == 0 ? 1 : 0), brake.why());
      }
    }
    return TargetRoom.ANY;
  }
}
