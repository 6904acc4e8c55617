package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A full desk costs no more per message than an empty one would let expect. */
class WorkScaleTest {
  private static final int DEFINITIONS = 200;
  private static final int WORKERS = 50;
  private static final int SLOTS = 20;

  /** Time of the processor, far above what it takes; a scan of all runs takes more. */
  private static final Duration MOST = Duration.ofSeconds(20);

  private final Map<WorkerId, Long> seqs = new HashMap<>();
  private final WorkMachine desk = new WorkMachine(WorkersState.NONE.opened());
  private final Deque<DeskEffect.Tell> given = new ArrayDeque<>();

  private void says(WorkerId worker, WorkerNews... news) {
    long seq = seqs.merge(worker, 1L, Long::sum);
    desk.news(new DeskCommand.News(desk.epoch(), worker, seq, List.of(news)), 0);
    take();
  }

  private void take() {
    for (DeskEffect effect : desk.effects()) {
      if (effect instanceof DeskEffect.Tell tell && tell.order() instanceof WorkerCommand.Assign) {
        given.add(tell);
      }
    }
  }

  @Test
  @Tag("long") // goes by the speed of the machine
  void aHundredThousandRunsWaitAndAreAssigned() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    List<WorkerId> workers = new ArrayList<>();
    List<String> boots = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new WorkerId("n" + i, "b" + i, 1));
      boots.add("b" + i);
    }
    for (int i = 0; i < WorkMachine.MOST_QUEUED; i++) {
      String definition = "d" + i % DEFINITIONS;
      RequestAnswer answer = desk.request(Requests.of("i" + i, "http", definition, 1 + i % 7), 0);
      assertThat(answer).isInstanceOf(RequestAnswer.Queued.class);
    }
    assertThat(desk.request(Requests.of("more", "http"), 0))
        .isInstanceOf(RequestAnswer.Refused.class);
    desk.members(Set.copyOf(boots), 0);
    for (WorkerId worker : workers) {
      says(worker, new WorkerNews.Hello(SLOTS, Set.of("http"), List.of(), false, null, null));
    }
    desk.enrolled(workers, 0);
    take();
    int ended = 0;
    while (!given.isEmpty()) {
      DeskEffect.Tell tell = given.remove();
      StepRunKey key = ((WorkerCommand.Assign) tell.order()).request().key();
      says(tell.worker(), new WorkerNews.Ended(key), new WorkerNews.Settled(key));
      ended++;
    }
    assertThat(ended).isEqualTo(WorkMachine.MOST_QUEUED);
    Duration took = Duration.ofNanos(threads.getCurrentThreadCpuTime() - begin);
    System.out.printf("%,d runs queued, assigned and ended in %d ms%n", ended, took.toMillis());
    assertThat(took).isLessThan(MOST);
  }
}
