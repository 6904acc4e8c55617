package io.callboard.workflows.actor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.definition.StepParameters;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.instance.InstanceProgress;
import io.callboard.workflows.instance.OpenRun;
import io.callboard.workflows.protocol.InstanceCommand;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.InstanceSpec;
import io.callboard.workflows.protocol.ParentStep;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import java.time.Instant;

/** Launcher of the runs of one instance: asks workers or jobs for them, outside of its turns. */
final class RunLauncher {
  private final InstanceEnvironment env;
  private final String node;
  private final InstanceLife life;

  /**
   * Creates the launcher of an instance, with which a life of it begins.
   *
   * @param node name of this node
   * @param instance id of the instance
   */
  RunLauncher(InstanceEnvironment env, String node, String instance) {
    this.env = env;
    this.node = node;
    this.life = env.lives().begin(instance);
  }

  /** Returns whether the life has ended. */
  boolean isOver() {
    return life.isOver();
  }

  /** Ends the life: all that it has open here is forgotten, and it opens nothing any more. */
  void end() {
    env.lives().end(life);
  }

  /** Ends the life; returns the launcher of the one that follows, should it run again. */
  RunLauncher next() {
    end();
    return new RunLauncher(env, node, life.instance());
  }

  /** Returns what a run of a step runs: the step, or what undoes it. */
  StepRun run(InstanceProgress its, OpenRun run) {
    return its.definition().step(run.step()).run(run.undo());
  }

  /** Returns what kind of thing a run of a step runs. */
  StepRun.Kind kind(InstanceProgress its, OpenRun run) {
    return run(its, run).kind();
  }

  /** Returns the start of the instance that runs a sub-workflow. */
  InstanceCommand.Start child(InstanceProgress its, OpenRun run, String child, Instant now) {
    InstanceSpec spec = its.data().created();
    int depth = spec.parent() == null ? 1 : spec.parent().depth() + 1;
    return new InstanceCommand.Start(
        child,
        run(its, run).name(),
        null,
        its.inputs().ofChild(run.step(), its.data(), run.undo()),
        spec.priority(),
        spec.labels(),
        null,
        new ParentStep(
            spec.id(), run.id(), run.run(), depth, its.definition().step(run.step()).timeout()),
        now,
        null);
  }

  /** Returns the cancellation of the instance that runs a sub-workflow, forced if its own is. */
  static InstanceCommand.Cancel cancellation(InstanceData above, Instant now) {
    return new InstanceCommand.Cancel(now, above.forcedBy());
  }

  /** Returns a task that requests a run; its input is that of now. */
  Runnable request(InstanceProgress its, OpenRun run) {
    StepRequest request = toRequest(its, run);
    return kind(its, run) == StepRun.Kind.PROCESS
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
        node,
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
      case PROCESS -> env.jobs().reopen(life, toRequest(its, run));
      case HTTP, HANDLER -> env.requests().reopen(life, toRequest(its, run));
    }
  }

  /** Cancels a run by a worker or a job. */
  void cancel(OpenRun run) {
    StepRunKey key = key(run);
    env.requests().cancel(life, key);
    env.jobs().cancel(life, key);
  }

  /** Forgets a run that is open no more, here. */
  void close(OpenRun run) {
    StepRunKey key = key(run);
    env.requests().close(life, key);
    env.jobs().close(life, key);
  }

  private StepRunKey key(OpenRun run) {
    return new StepRunKey(life.instance(), run.id(), run.run());
  }
}
