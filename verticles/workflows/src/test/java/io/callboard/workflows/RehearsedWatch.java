package io.callboard.workflows;

import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersAnswer;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.starts.LedgerEvent;
import io.callboard.workflows.internal.starts.StartAnswer;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.internal.starts.StartReply;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeView;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts rare things as they show in messages and events, and judges what desks say: C2, no credit
 * and no number of permits is negative.
 */
final class RehearsedWatch {
  private final WorkflowsWorld world;
  private final Set<String> undoing = new HashSet<>();

  RehearsedWatch(WorkflowsWorld world) {
    this.world = world;
  }

  private void does(RehearsedDeed deed, boolean happens) {
    if (happens) {
      world.history().does(deed);
    }
  }

  void persisted(String path, Object event) {
    String id = WorkflowsWorld.id(path);
    if (event instanceof InstanceEvent.StepEnded its) {
      world.history().settled(new StepRunKey(id, its.step(), its.run()));
    } else if (event instanceof InstanceEvent.StepRetries its) {
      world.history().settled(new StepRunKey(id, its.step(), its.run()));
    } else if (event instanceof InstanceEvent.StepLost its) {
      world.history().settled(new StepRunKey(id, its.step(), its.run()));
    }
    if (event instanceof InstanceEvent.StepRetries) {
      does(RehearsedDeed.RETRIED, true);
    } else if (event instanceof InstanceEvent.Stopped stopped) {
      InstanceData data = world.instance(id);
      boolean child = data != null && data.created().parent() != null;
      boolean runs =
          world.history().alive().stream().anyMatch(run -> run.key.instance().equals(id));
      does(RehearsedDeed.OVERDUE, stopped.cause() == InstanceStop.TIMEOUT);
      does(RehearsedDeed.CANCELLED, stopped.cause() == InstanceStop.CANCEL && runs && !child);
      does(RehearsedDeed.CHILD_CANCELLED, stopped.cause() == InstanceStop.CANCEL && child);
    } else if (event instanceof InstanceEvent.Forced) {
      does(RehearsedDeed.FORCED, runsToTheEnd(id));
    } else if (event instanceof InstanceEvent.UndoBegan) {
      undoing.add(id);
    } else if (event instanceof InstanceEvent.StepEnded ended && undoing.contains(id)) {
      does(RehearsedDeed.UNDONE, ended.state() == StepState.SUCCEEDED);
      does(RehearsedDeed.UNDO_FAILED, ended.state() == StepState.FAILED);
    } else if (event instanceof InstanceEvent.Reopened reopened) {
      undoing.remove(id);
      does(RehearsedDeed.REOPENED_BY_RETRY, reopened.from() == null);
      does(RehearsedDeed.REOPENED_BY_RERUN, reopened.from() != null);
    } else if (event instanceof InstanceEvent.Ended) {
      InstanceData data = world.instance(id);
      does(RehearsedDeed.CHILD_ENDED, data != null && data.created().parent() != null);
    } else if (event instanceof LedgerEvent.BrakeChanged changed) {
      boolean measured = changed.brake().override() == null;
      does(RehearsedDeed.BRAKED, measured && changed.brake().level() != BrakeLevel.OFF);
      world.history().rule(changed.brake().credit() >= 0, "C2: %s", changed);
    } else if (event instanceof IntakeEvent.Settled settled) {
      does(RehearsedDeed.BUILDER_GAVE_UP, settled.outcome() == null && settled.error() != null);
    } else if (event instanceof IntakeEvent.Started started) {
      world.chains().get(path).stream()
          .filter(each -> !each.equals(started.instance()))
          .forEach(each -> next(path, each));
    }
  }

  /** Whether a run of an instance is one that a cancellation lets run. */
  private boolean runsToTheEnd(String id) {
    InstanceData data = world.instance(id);
    return data != null
        && world.history().alive().stream()
            .filter(run -> run.key.instance().equals(id))
            .anyMatch(
                run ->
                    undoing.contains(id)
                        || world.definition(data).definition().last().containsKey(run.key.step()));
  }

  /** N2: a message has one instance at a time. */
  private void next(String path, String before) {
    does(RehearsedDeed.CHAINED, true);
    boolean ended = !world.history().ends(before).isEmpty();
    world.history().rule(ended, "N2: %s has a next instance, but %s runs", path, before);
  }

  void stored(String to, Object message) {
    if (message instanceof InstanceCommand.Lost lost) {
      does(RehearsedDeed.RUN_LOST, true);
      report(to, lost.step(), lost.run());
    } else if (message instanceof InstanceCommand.Done done) {
      does(RehearsedDeed.TIMED_OUT, done.outcome().kind() == StepOutcome.Kind.TIMEOUT);
      does(RehearsedDeed.STOPPED, wasStopped(to, done));
      report(to, done.step(), done.run());
    }
  }

  private boolean wasStopped(String to, InstanceCommand.Done done) {
    StepRunKey key = new StepRunKey(WorkflowsWorld.id(to), done.step(), done.run());
    return world.history().runs(key).stream()
        .anyMatch(run -> run.end == null && run.node.isAlive() && !run.isAlive());
  }

  private void report(String to, String step, int run) {
    InstanceData data = world.instance(WorkflowsWorld.id(to));
    boolean old =
        data != null && (data.steps().get(step).run() > run || !data.steps().get(step).isOpen());
    does(RehearsedDeed.OLD_REPORT, old);
  }

  void arrived(String to, Object message) {
    if (message instanceof WorkerCommand.Orders orders) {
      orders.orders().forEach(this::ordered);
      does(
          RehearsedDeed.REVOKED,
          orders.orders().stream().anyMatch(WorkerCommand.Revoke.class::isInstance));
    } else if (message instanceof DeskCommand.News news) {
      does(
          RehearsedDeed.RUN_FENCED,
          news.news().stream()
              .anyMatch(
                  each ->
                      each instanceof WorkerNews.Revoked revoked
                          && revoked.how() == WorkerNews.Revocation.LOST));
    } else if (message instanceof StartCommand.Report report) {
      does(
          RehearsedDeed.HELD,
          report.report().definitions().stream().anyMatch(each -> each.waiting() > 0));
    }
  }

  private void ordered(WorkerCommand.Order order) {
    if (order instanceof WorkerCommand.Assign assign) {
      world.history().assigned(assign.request().key(), assign.request().isRepeated());
    }
  }

  void answered(Object answer) {
    if (answer instanceof WorkersAnswer.Opened opened) {
      boolean runs = !world.history().alive().isEmpty();
      does(RehearsedDeed.DESK_REPLACED, runs && opened.state().epoch() > 1);
    } else if (answer instanceof StartReply.Answered its) {
      StartAnswer said = its.answer();
      boolean negative =
          said.room() < 0
              || said.permits().values().stream().anyMatch(permits -> permits < 0)
              || said.brakes().stream().anyMatch(RehearsedWatch::isNegative);
      world.history().rule(!negative, "C2: a desk says %s", said);
    }
  }

  private static boolean isNegative(BrakeView brake) {
    Integer credit = brake.credit();
    return (credit != null && credit < 0) || brake.running() < 0 || brake.waiting() < 0;
  }
}
