package io.callboard.workflows.internal.index;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.grid.internal.index.Coverage;
import io.callboard.workflows.internal.intake.NodeTally;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.QueueView;
import java.util.List;
import java.util.function.Supplier;

/** Volatile actor that answers for the index of instances of its node. */
public final class InstancesActor extends Actor<InstancesCommand> {
  private final InstanceIndex index;
  private final NodeTally tally;
  private final Supplier<List<QueueView>> waiting;

  /**
   * Creates the actor of a node.
   *
   * @param waiting returns the steps of the node whose jobs are of a type that no node has made
   */
  public InstancesActor(InstanceIndex index, NodeTally tally, Supplier<List<QueueView>> waiting) {
    this.index = index;
    this.tally = tally;
    this.waiting = waiting;
  }

  /** Returns the path of the actor of the node of that name. */
  public static String path(String node) {
    return "/workflows/index/" + node;
  }

  @Override
  protected void protocol(Protocol<InstancesCommand> on) {
    on.message(InstancesCommand.List.class, this::list)
        .message(
            InstancesCommand.Tally.class,
            e ->
                reply(
                    new InstancesAnswer.Counted(
                        tally.counts(e.definition(), time().clock().instant()))))
        .message(InstancesCommand.Count.class, e -> reply(index.counted()))
        .message(
            InstancesCommand.Waiting.class, e -> reply(new InstancesAnswer.Waiting(waiting.get())))
        .message(
            InstancesCommand.Ended.class,
            e -> reply(index.ended(e.most(), new EndedOrder(e.cutoff()))))
        .message(InstancesCommand.Running.class, e -> reply(index.running(e.ids())))
        .message(InstancesCommand.Known.class, e -> reply(index.known(e.ids())));
  }

  private void list(InstancesCommand.List e) {
    Coverage before = index.coverage();
    List<InstanceRow> rows = index.page(e.query(), e.most());
    reply(new InstancesAnswer.Rows(rows, before.and(index.coverage())));
  }
}
