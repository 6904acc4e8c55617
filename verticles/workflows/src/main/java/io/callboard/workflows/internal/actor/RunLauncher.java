package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.definition.StepParameters;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.internal.instance.InstanceProgress;
import io.callboard.workflows.internal.instance.OpenRun;
import io.callboard.workflows.internal.instance.TreeLimits;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Launcher of the runs of one instance: starts and cancels sub-workflows with its turns, and asks
 * workers and jobs after them.
 */
final class RunLauncher {
  private final InstanceEnvironment env;
  private final Callboard callboard;
  private final EndNotices.Sender sender;
  private final Consumer<Runnable> afterCommit;
  private final InstanceLife life;

  /**
   * Creates the launcher of an instance, with which a life of it begins.
   *
   * @param instance id of the instance
   * @param sender sends a message with a turn of the instance
   * @param afterCommit runs a task once the turn is durable
   */
  RunLauncher(
      InstanceEnvironment env,
      Callboard callboard,
      String instance,
      EndNotices.Sender sender,
      Consumer<Runnable> afterCommit) {
    this.env = env;
    this.callboard = callboard;
    this.sender = sender;
    this.afterCommit = afterCommit;
    this.life = env.lives().begin(instance);
  }

  /** Returns whether the life has ended. */
  boolean isOver() {
    return life.isOver();
  }

  /** Ends the life, and forgets its open runs; it opens no further ones. */
  void end() {
    env.lives().end(life);
  }

  /**
   * Ends the life.
   *
   * @return the launcher of the next life, should there be one
   */
  RunLauncher next() {
    end();
    return new RunLauncher(env, callboard, life.instance(), sender, afterCommit);
  }

  /** Returns what a run of a step runs: the step, or what undoes it. */
  private StepRun run(InstanceProgress its, OpenRun run) {
    return its.definition().step(run.step()).run(run.undo());
  }

  /** Returns what kind of thing a run of a step runs. */
  private StepRun.Kind kind(InstanceProgress its, OpenRun run) {
    return run(its, run).kind();
  }

  /** Starts a run with the turn. */
  void start(InstanceProgress its, OpenRun run, Instant now) {
    if (kind(its, run) == StepRun.Kind.SUBWORKFLOW && run.child() != null) {
      tell(run.child(), child(its, run, run.child(), now));
    } else {
      Runnable request = request(its, run);
      afterCommit.accept(request);
    }
  }

  /** Asks a run to end, with the turn. */
  void abort(InstanceData its, OpenRun run, Instant now) {
    if (run.child() != null) {
      tell(run.child(), cancellation(its, now));
    } else {
      afterCommit.accept(() -> cancel(run));
    }
  }

  /**
   * Cancels every open run, those of earlier lives of this actor included, in the turn that ends
   * the instance without waiting for them.
   *
   * @param open the instance before that
   * @param ended the instance after that
   */
  void abortAll(InstanceData open, InstanceData ended, Instant now) {
    open.steps()
        .forEach(
            (id, step) -> {
              if (step.isOpen(step.run()) && step.child() != null) {
                tell(step.child(), cancellation(ended, now));
              } else if (step.isOpen(step.run())) {
                StepRunKey key = new StepRunKey(life.instance(), id, step.run());
                afterCommit.accept(
                    () -> {
                      env.requests().abandon(life, key);
                      env.jobs().abandon(life, key);
                    });
              }
            });
  }

  private void tell(String instance, InstanceCommand command) {
    sender.tell(callboard.durableRef(InstanceActor.path(instance), InstanceCommand.class), command);
  }

  /** Returns the start of the instance that runs a sub-workflow. */
  private InstanceCommand.Start child(
      InstanceProgress its, OpenRun run, String child, Instant now) {
    InstanceSpec spec = its.data().created();
    return new InstanceCommand.Start(
        child,
        run(its, run).name(),
        null,
        its.inputs().ofChild(run.step(), its.data(), run.undo()),
        spec.priority(),
        spec.labels(),
        null,
        TreeLimits.parent(its, run),
        now,
        null);
  }

  /** Returns the cancellation of the instance that runs a sub-workflow, forced if its own is. */
  private static InstanceCommand.Cancel cancellation(InstanceData above, Instant now) {
    return new InstanceCommand.Cancel(now, above.forcedBy());
  }

  /** Returns a task that requests a run; its input is that of now. */
  private Runnable request(InstanceProgress its, OpenRun run) {
    StepRequest request = toRequest(its, run);
    return run(its, run).isJob()
        ? () -> env.jobs().open(life, request)
        : () -> env.requests().open(life, request);
  }

  private StepRequest toRequest(InstanceProgress its, OpenRun run) {
    ObjectNode input = its.inputs().of(run.step(), its.data(), run.undo());
    InstanceSpec spec = its.data().created();
    StepDefinition step = its.definition().step(run.step());
    String round = its.data().round() > 1 ? "/" + its.data().round() : "";
    String restored = its.data().restored() == null ? "" : "/restored-" + its.data().restored();
    return new StepRequest(
        spec.id(),
        spec.definition(),
        run.id(),
        run.attempt(),
        run.run(),
        run(its, run).text(),
        spec.priority(),
        its.definition().definition().weight(),
        step.timeout(),
        run.since(),
        callboard.node(),
        input,
        StepParameters.of(step, run.undo()),
        spec.id() + "/" + run.id() + round + restored + (run.undo() ? "/undo" : ""),
        input.has("large") ? its.inputs().large(run.step(), its.data(), run.undo()) : null,
        null,
        null,
        null);
  }

  /** Requests a run again at a start of the actor; a sub-workflow was started by its turn. */
  void resume(InstanceProgress its, OpenRun run) {
    switch (kind(its, run)) {
      case SUBWORKFLOW -> {}
      case PROCESS, JOB -> env.jobs().reopen(life, toRequest(its, run));
      case HTTP, HANDLER -> env.requests().reopen(life, toRequest(its, run));
    }
  }

  /** Cancels a run by a worker or a job. */
  void cancel(OpenRun run) {
    StepRunKey key = key(run);
    env.requests().cancel(life, key);
    env.jobs().cancel(life, key);
  }

  /** Forgets a run here that is not open any more. */
  void close(OpenRun run) {
    StepRunKey key = key(run);
    env.requests().close(life, key);
    env.jobs().close(life, key);
  }

  private StepRunKey key(OpenRun run) {
    return new StepRunKey(life.instance(), run.id(), run.run());
  }
}
