package io.callboard.workflows.work;

import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.WorkerNews;
import io.callboard.workflows.protocol.WorkersState;
import java.util.HashMap;
import java.util.Map;

/** Desk that counts credit down with each assignment and up with each end that it hears of. */
final class CountingDesk extends WorkMachine {
  private final Map<String, Integer> taken = new HashMap<>();

  CountingDesk(WorkersState state) {
    super(state);
  }

  @Override
  int credit(DeskWorker worker) {
    return taken == null || super.credit(worker) == 0 && worker.taking.isEmpty()
        ? 0
        : worker.slots - taken.getOrDefault(worker.id.boot(), 0);
  }

  @Override
  void attach(DeskRun run, DeskWorker worker, DeskRun.State state) {
    if (state == DeskRun.State.OFFERED) {
      taken.merge(worker.id.boot(), 1, Integer::sum);
    }
    super.attach(run, worker, state);
  }

  @Override
  public void news(DeskCommand.News of, long now) {
    for (WorkerNews each : of.news()) {
      if (each instanceof WorkerNews.Ended || each instanceof WorkerNews.Revoked) {
        taken.merge(of.worker().boot(), -1, Integer::sum);
      }
    }
    super.news(of, now);
  }
}
