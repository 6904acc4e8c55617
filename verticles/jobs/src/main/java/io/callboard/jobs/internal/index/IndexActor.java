package io.callboard.jobs.internal.index;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.grid.internal.index.Coverage;
import java.util.List;
import java.util.function.Consumer;

/** Volatile actor that answers for the index of its node. */
public final class IndexActor extends Actor<IndexCommand> {
  private final JobIndex index;
  private final Consumer<String> deleteFiles;

  /**
   * Creates the actor of a node.
   *
   * @param deleteFiles deletes the files that the runs of a job left on this host
   */
  public IndexActor(JobIndex index, Consumer<String> deleteFiles) {
    this.index = index;
    this.deleteFiles = deleteFiles;
  }

  /** Returns the path of the actor of the node of that name. */
  public static String path(String node) {
    return "/jobs/index/" + node;
  }

  @Override
  protected void protocol(Protocol<IndexCommand> on) {
    on.message(IndexCommand.Page.class, this::page)
        .message(
            IndexCommand.Known.class,
            e -> reply(new IndexAnswer.Page(List.of(), index.known(e.jobs()), index.coverage())))
        .message(IndexCommand.Ended.class, e -> reply(index.ended(e)))
        .message(IndexCommand.Archived.class, this::archived)
        .message(IndexCommand.HandOver.class, e -> reply(index.handOver(e)))
        .message(IndexCommand.DeleteFiles.class, e -> e.jobs().forEach(deleteFiles));
  }

  private void page(IndexCommand.Page e) {
    Coverage before = index.coverage();
    List<RowRef> rows = index.page(e.query(), e.most());
    List<String> known = index.known(e.rows());
    reply(new IndexAnswer.Page(rows, known, before.and(index.coverage())));
  }

  private void archived(IndexCommand.Archived e) {
    index.archived(e);
    reply(new IndexAnswer.Done());
  }
}
