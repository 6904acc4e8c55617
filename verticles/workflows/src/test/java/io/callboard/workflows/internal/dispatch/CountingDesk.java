package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.util.HashMap;
import java.util.Map;

/** Desk that counts credit down with each assignment and up with each end that it hears of. */
final class CountingDesk extends WorkMachine {
  private final Map<String, Integer> taken = new HashMap<>();

  CountingDesk(WorkersState state) {
    super(state);
  }

  private static String name(DeskSeat seat) {
    return seat.worker.id.boot() + " " + seat.zone;
  }

  @Override
  int credit(DeskSeat seat) {
    return taken == null || super.credit(seat) == 0 && seat.taking.isEmpty()
        ? 0
        : seat.slots - taken.getOrDefault(name(seat), 0);
  }

  @Override
  void attach(DeskRun run, DeskSeat seat, DeskRun.State state) {
    if (state == DeskRun.State.OFFERED) {
      taken.merge(name(seat), 1, Integer::sum);
    }
    super.attach(run, seat, state);
  }

  @Override
  public void news(DeskCommand.News of, long now) {
    for (WorkerNews each : of.news()) {
      if (each instanceof WorkerNews.Ended ended) {
        over(of.worker().boot(), ended.key());
      } else if (each instanceof WorkerNews.Revoked revoked) {
        over(of.worker().boot(), revoked.key());
      }
    }
    super.news(of, now);
  }

  private void over(String boot, StepRunKey key) {
    DeskWorker worker = workers.ofBoot(boot);
    DeskRun run = worker == null ? null : worker.runs.get(key);
    taken.merge(
        run == null || run.seat == null ? boot + " null" : name(run.seat), -1, Integer::sum);
  }
}
