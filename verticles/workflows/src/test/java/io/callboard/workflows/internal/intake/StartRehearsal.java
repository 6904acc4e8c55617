package io.callboard.workflows.internal.intake;

import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.internal.starts.StartAnswer;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A cell with a start desk and the gates of its nodes, played from one seed: the machines are the
 * real ones; instances, network and faults are played. Messages are late, lost, doubled and
 * overtake each other; desks move, nodes die and their instances go on elsewhere.
 */
final class StartRehearsal {
  private static final int NODES = 3;
  private static final int MOST = 40;

  /** Flaw of a machine, with which the rules must break. */
  enum Flaw {
    NONE,
    /** Permits that are under way are not counted. */
    FORGETS_PERMITS,
    /** The desk takes reports that were overtaken. */
    TAKES_OLD_REPORTS,
    /** Halving the credit goes down to nothing. */
    HALVES_TO_ZERO
  }

  private final Flaw flaw;
  private final SplittableRandom random;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, BrakeState> durable = new TreeMap<>();
  private final Map<String, Played> instances = new TreeMap<>();
  private final PriorityQueue<Letter> mail =
      new PriorityQueue<>(Comparator.comparing(Letter::at).thenComparing(Letter::number));
  private final Map<String, StartReport> reports = new TreeMap<>();
  private final Map<String, Long> given = new TreeMap<>();
  private Instant now = Instant.parse("2026-11-25T18:00:00Z");
  private StartDesk desk;
  private long epoch = 1;
  private long letters;
  private int boots;
  private int made;
  private boolean calm;
  int braked;
  int waited;

  private record Letter(Instant at, long number, Runnable deliver) {}

  /** A node of the cell. */
  private static final class Node {
    final StartGate gate;
    final String boot;
    Instant reports;
    boolean up = true;

    Node(StartGate gate, String boot, Instant now) {
      this.gate = gate;
      this.boot = boot;
      this.reports = now;
    }
  }

  /** An instance. */
  private static final class Played {
    final String id;
    final String definition;
    Node at;
    Instant begun;
    Instant ends;
    boolean over;

    Played(String id, String definition, Node at) {
      this.id = id;
      this.definition = definition;
      this.at = at;
    }
  }

  StartRehearsal(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    for (int i = 0; i < NODES; i++) {
      nodes.add(boot());
    }
    this.desk = newDesk();
  }

  private Node boot() {
    String boot = "b" + ++boots;
    return new Node(new StartGate("n", boot), boot, now);
  }

  private StartDesk newDesk() {
    Collection<BrakeState> stored = List.copyOf(durable.values());
    Map<String, Integer> weights = Map.of("a", 3);
    return switch (flaw) {
      case FORGETS_PERMITS ->
          new StartDesk(epoch, stored, weights, MOST, now) {
            @Override
            int unused(ReportedStarts node, String definition) {
              return 0;
            }
          };
      case TAKES_OLD_REPORTS ->
          new StartDesk(epoch, stored, weights, MOST, now) {
            @Override
            boolean isNewer(ReportedStarts node, StartReport report) {
              return true;
            }
          };
      case HALVES_TO_ZERO ->
          new StartDesk(epoch, stored, weights, MOST, now) {
            @Override
            BrakeMachine machine(BrakeState state, Instant at) {
              return new BrakeMachine(state, at) {
                @Override
                int half(int credit) {
                  return credit / 2;
                }
              };
            }
          };
      default -> new StartDesk(epoch, stored, weights, MOST, now);
    };
  }

  void play() {
    for (int step = 0; step < 2_000; step++) {
      step();
    }
    calm = true;
    for (int step = 0; step < 12_000 && !isDone(); step++) {
      step();
    }
    rule(isDone(), "B3: some have not begun: %s", left());
  }

  private boolean isDone() {
    return instances.isEmpty();
  }

  private String left() {
    return instances.values().stream()
        .map(each -> each.id + (each.begun == null ? " waits" : " runs"))
        .toList()
        .toString();
  }

  private void step() {
    now = now.plusMillis(200);
    if (!calm) {
      fault();
      submit();
    }
    for (Node node : nodes) {
      if (node.up && !node.reports.isAfter(now)) {
        node.reports = now.plusMillis(800 + random.nextInt(400));
        StartReport report = node.gate.report();
        post(() -> answer(node, report));
      }
    }
    if (now.getNano() == 0) {
      desk.tick(now);
      check();
    }
    end();
    while (!mail.isEmpty() && !mail.peek().at().isAfter(now)) {
      mail.remove().deliver().run();
    }
  }

  private void answer(Node node, StartReport report) {
    reports.merge(report.boot(), report, (one, other) -> newer(one, other));
    StartAnswer answer = desk.report(report, now);
    check();
    post(() -> answered(node, answer));
  }

  private static StartReport newer(StartReport one, StartReport other) {
    return one.number() > other.number() ? one : other;
  }

  private void answered(Node node, StartAnswer answer) {
    if (!node.up) {
      return;
    }
    for (String id : node.gate.answered(answer, now)) {
      Played its = instances.get(id);
      rule(its != null && its.at == node && its.begun == null, "B3: %s began twice", id);
      begin(its);
    }
  }

  private void begin(Played its) {
    its.begun = now;
    its.ends = now.plusMillis(500 + random.nextInt(20_000));
  }

  private void submit() {
    if (random.nextInt(2) == 0 && instances.size() < 4 * MOST) {
      Node node = nodes.get(random.nextInt(nodes.size()));
      Played its = new Played("i" + ++made, random.nextBoolean() ? "a" : "b", node);
      instances.put(its.id, its);
      ask(its);
    }
  }

  private void ask(Played its) {
    if (its.at.gate.begins(its.definition, its.id, now)) {
      begin(its);
    } else {
      waited++;
    }
  }

  private void end() {
    for (Played its : List.copyOf(instances.values())) {
      if (its.ends != null && !its.ends.isAfter(now)) {
        boolean fails = !calm && its.definition.equals("a") && random.nextInt(4) > 0;
        its.at.gate.ended(its.id, !fails);
        instances.remove(its.id);
      }
    }
  }

  private void fault() {
    int dice = random.nextInt(2_000);
    if (dice < 2) {
      epoch++;
      desk = newDesk();
      given.clear();
    } else if (dice < 4) {
      Node dead = nodes.remove(random.nextInt(nodes.size()));
      dead.up = false;
      nodes.add(boot());
      for (Played its : instances.values()) {
        if (its.at == dead) {
          its.at = nodes.get(random.nextInt(nodes.size()));
          if (its.begun != null) {
            its.at.gate.resumed(its.definition, its.id, its.begun);
          } else {
            ask(its);
          }
        }
      }
    }
  }

  private void post(Runnable deliver) {
    int copies = calm || random.nextInt(10) > 1 ? 1 : random.nextInt(3);
    for (int i = 0; i < copies; i++) {
      int delay = !calm && random.nextInt(8) == 0 ? 4_000 : 300;
      mail.add(new Letter(now.plusMillis(random.nextInt(delay)), ++letters, deliver));
    }
  }

  /** Checks what the desk has decided, and what it persists. */
  private void check() {
    for (BrakeState state : desk.changed()) {
      durable.put(state.definition(), state);
      braked += state.level() == BrakeLevel.OFF ? 0 : 1;
      rule(!state.cause().isEmpty() && !state.changes().isEmpty(), "B4: %s", state);
      Integer credit = state.inForce();
      rule(credit == null || credit >= BrakeMachine.PROBE, "B1: %s", state);
    }
    for (String definition : List.of("a", "b")) {
      checkPermits(definition);
    }
  }

  /** Checks new permits against the newest reports that the desk has had. */
  private void checkPermits(String definition) {
    long all = 0;
    long load = 0;
    for (ReportedStarts node : desk.nodes()) {
      long permits = node.permits().getOrDefault(definition, 0L);
      all += permits;
      StartReport newest = reports.get(node.boot);
      for (StartReport.OfDefinition has : newest.definitions()) {
        if (has.definition().equals(definition)) {
          load += has.counted() - (newest.epoch() == desk.epoch() ? has.used() : 0);
        }
      }
      load += permits;
    }
    BrakeView brake = desk.brake(now, definition);
    Long before = given.put(definition, all);
    if (before != null && all > before && brake.credit() != null) {
      int most = brake.level() == BrakeLevel.OPEN ? BrakeMachine.MOST_PROBES : brake.credit();
      rule(load <= most, "B2: %s has a load of %,d", brake, load);
    }
  }

  private static void rule(boolean holds, String text, Object... values) {
    if (!holds) {
      throw new AssertionError(text.formatted(values));
    }
  }
}
