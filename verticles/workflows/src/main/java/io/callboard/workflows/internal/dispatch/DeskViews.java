package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Views of the desk: where runs are and why they wait, workers and queues. */
@Machine
final class DeskViews {
  /** Highest number of runs ahead that is counted. */
  private static final int MOST_AHEAD = 1_000;

  private final WorkMachine desk;
  private final long nowNs;

  /** Creates the views of a desk at a time. */
  DeskViews(WorkMachine desk, long nowNs) {
    this.desk = desk;
    this.nowNs = nowNs;
  }

  /** Returns where the runs of an instance are. */
  List<RunPlace> places(String instance, Instant clock) {
    return desk.runs.ofInstance(instance).stream().map(run -> place(run, clock)).toList();
  }

  private RunPlace place(DeskRun run, Instant clock) {
    DeskWorker worker = run.worker;
    return new RunPlace(
        run.key,
        switch (run.state) {
          case QUEUED -> RunPlace.State.QUEUED;
          case OFFERED -> RunPlace.State.ASSIGNED;
          case RUNNING -> run.waits() == null ? RunPlace.State.RUNNING : RunPlace.State.ASSIGNED;
          case ENDED -> RunPlace.State.RUNNING;
          case REVOKED -> RunPlace.State.REVOKED;
        },
        worker == null ? null : worker.id.toString(),
        worker == null ? null : worker.id.node(),
        clock.minusNanos(nowNs - run.sinceNs),
        run.state == DeskRun.State.QUEUED && run.rests == null
            ? desk.queues.lanes(run).ahead(run, MOST_AHEAD)
            : null,
        why(run),
        run.held == null ? null : run.held.heartbeat(),
        run.held == null ? null : run.held.heartbeatAt());
  }

  private @Nullable String why(DeskRun run) {
    return switch (run.state) {
      case QUEUED ->
          run.rests == null
              ? whyWaits(run.type())
              : "it is tried again in %d s: %s"
                  .formatted((run.dueNs - nowNs) / 1_000_000_000L, run.rests);
      case RUNNING -> run.waits();
      case OFFERED -> "its worker has not accepted it yet";
      case REVOKED -> "its worker is asked whether it runs it";
      case ENDED -> "it has ended, and its worker reports that to its instance";
    };
  }

  /** Returns why runs of a type wait. */
  String whyWaits(String type) {
    if (!desk.isReady()) {
      List<String> awaits = desk.start.awaits();
      return awaits.isEmpty()
          ? "the desk has just started, and reads the members of the cell"
          : "the desk has just started, and waits until the workers of these nodes report what they run: "
              + String.join(", ", awaits);
    }
    List<DeskSeat> offering = offering(type);
    String name = type.startsWith("handler:") ? type.substring("handler:".length()) : type;
    if (offering.isEmpty()) {
      return "no worker offers " + name;
    }
    List<DeskSeat> taking =
        offering.stream().filter(seat -> desk.workers.takesRuns(seat.worker, nowNs)).toList();
    if (taking.isEmpty()) {
      return "no worker that offers %s takes runs now: %s".formatted(name, troubles(offering));
    }
    int slots = taking.stream().mapToInt(seat -> seat.slots).sum();
    return slots == 0
        ? "the workers that offer %s have no slots: %s".formatted(name, places(taking))
        : "all %d slots of the workers that offer %s are taken: %s"
            .formatted(slots, name, places(taking));
  }

  private List<DeskSeat> offering(String type) {
    List<DeskSeat> offering = new ArrayList<>();
    for (DeskWorker worker : desk.workers.all()) {
      worker.forEachSeat(
          seat -> {
            if (seat.pool != null && seat.pool.types.contains(type)) {
              offering.add(seat);
            }
          });
    }
    return offering;
  }

  private static String places(List<DeskSeat> seats) {
    Set<String> places = new TreeSet<>();
    seats.forEach(seat -> places.add(seat.place()));
    return String.join(", ", places);
  }

  private String troubles(List<DeskSeat> seats) {
    Set<String> troubles = new LinkedHashSet<>(); // those of a worker's seats are the same
    seats.forEach(seat -> troubles.add(seat.worker.id.node() + " " + trouble(seat.worker)));
    return String.join(", ", troubles);
  }

  private String trouble(DeskWorker worker) {
    if (worker.goneNs != null) {
      return "has left the cell";
    } else if (desk.workers.isDrained(worker)) {
      return "is drained";
    } else if (!worker.enrolled) {
      return "is being enrolled";
    }
    return "is silent for %d s".formatted((nowNs - worker.heardNs) / 1_000_000_000L);
  }

  /** Returns workers and queues. */
  DeskAnswer.Overview overview() {
    List<DeskAnswer.Worker> workers = new ArrayList<>();
    for (DeskWorker worker : desk.workers.all()) {
      Map<String, Integer> running = new TreeMap<>();
      int[] slots = {0};
      worker.forEachSeat(
          seat -> {
            slots[0] += seat.slots;
            seat.taking.forEach(run -> running.merge(run.definition(), 1, Integer::sum));
          });
      workers.add(
          new DeskAnswer.Worker(
              worker.id,
              worker.types,
              slots[0],
              running,
              desk.workers.isDrained(worker),
              Duration.ofNanos(nowNs - worker.heardNs),
              worker.goneNs == null));
    }
    return new DeskAnswer.Overview(desk.epoch(), desk.start.awaits(), workers, queues());
  }

  private List<DeskAnswer.Queue> queues() {
    Map<String, Map<String, Integer>> running = new TreeMap<>();
    desk.runs.forEach(
        run -> {
          Map<String, Integer> types =
              running.computeIfAbsent(run.definition(), name -> new TreeMap<>());
          types.merge(run.type(), run.takesSlot() ? 1 : 0, Integer::sum);
        });
    Map<String, Map<String, RunLanes>> waiting = new TreeMap<>();
    desk.queues.forEach(waiting::put);
    List<DeskAnswer.Queue> queues = new ArrayList<>();
    running.forEach(
        (definition, types) ->
            types.forEach(
                (type, runs) ->
                    queues.add(
                        queue(
                            definition,
                            type,
                            runs,
                            waiting.getOrDefault(definition, Map.of()).get(type)))));
    return queues;
  }

  private DeskAnswer.Queue queue(
      String definition, String type, int running, @Nullable RunLanes lanes) {
    Long oldest = lanes == null ? null : lanes.oldestNs();
    return new DeskAnswer.Queue(
        definition,
        type,
        lanes == null ? 0 : lanes.size(),
        running,
        oldest == null ? null : Duration.ofNanos(nowNs - oldest),
        oldest == null ? null : whyWaits(type));
  }
}
