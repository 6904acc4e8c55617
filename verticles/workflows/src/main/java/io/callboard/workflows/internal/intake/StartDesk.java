package io.callboard.workflows.internal.intake;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.FairShare;
import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.internal.starts.StartAnswer;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.internal.starts.StartReport.OfDefinition;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.BrakeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The start desk: the brakes of all definitions, and permits to begin for instances that wait for
 * one. Reports of nodes and the time in; answers, and states of brakes to persist, out.
 *
 * <p>An instance of it serves one epoch. See the package for protocol and invariants.
 */
@Machine
public class StartDesk {
  /** Time without a report after which a node counts no more. */
  public static final Duration SILENCE = Duration.ofSeconds(15);

  /** Time in which a new desk hears the nodes before it gives permits. */
  public static final Duration HEARING = Duration.ofSeconds(5);

  /** Least time between two decisions. */
  static final Duration TICK = Duration.ofMillis(200);

  /** Most permits of a decision. */
  private static final int MOST_GIVEN = 5_000;

  /** Share of the limit of the cell below which instances begin without permits again. */
  private static final double RELAXED = 0.9;

  private final long epoch;
  private final Instant opened;
  private final int mostRunning;
  private final Map<String, ReportedStarts> nodes = new TreeMap<>();
  private final Map<String, BrakeMachine> brakes = new TreeMap<>();
  private final Map<String, BrakeState> changed = new LinkedHashMap<>();
  private final FairShare share = new FairShare();
  private Map<String, Integer> weights;
  private Instant ticked;
  private boolean limited;
  private long answers;

  /**
   * Creates the desk of an epoch.
   *
   * @param durable the brakes as they were stored last
   * @param weights weights that go before those that definitions have
   * @param mostRunning limit of running instances in the cell
   */
  public StartDesk(
      long epoch,
      Collection<BrakeState> durable,
      Map<String, Integer> weights,
      int mostRunning,
      Instant now) {
    this.epoch = epoch;
    this.opened = now;
    this.ticked = now;
    this.mostRunning = mostRunning;
    this.weights = Map.copyOf(weights);
    durable.forEach(state -> brakes.put(state.definition(), machine(state, now)));
  }

  BrakeMachine machine(BrakeState state, Instant now) {
    return new BrakeMachine(state, now);
  }

  /** Returns the epoch that this desk serves. */
  public long epoch() {
    return epoch;
  }

  /** Processes a report of a node; an outdated one is only answered. */
  public StartAnswer report(StartReport report, Instant now) {
    boolean joins = report.number() > 1 && !nodes.containsKey(report.boot());
    ReportedStarts node =
        nodes.computeIfAbsent(report.boot(), boot -> new ReportedStarts(report.node(), boot, now));
    if (isNewer(node, report)) {
      node.heard = now;
      node.knowsEpoch = report.epoch() == epoch;
      node.messages = report.messages() == null ? 0 : report.messages();
      node.room = report.room() == null ? 0 : report.room();
      node.retain(report);
      for (OfDefinition has : report.definitions()) {
        OfDefinition had = node.put(has);
        if (!joins) { // what ended before this desk heard of the node is not counted
          ended(has, had, now);
        }
      }
    }
    if (!now.isBefore(ticked.plus(TICK))) {
      tick(now);
    }
    return answer(node, report.room(), now);
  }

  boolean isNewer(ReportedStarts node, StartReport report) {
    return node.isNewer(report);
  }

  private void ended(OfDefinition has, @Nullable OfDefinition had, Instant now) {
    long succeeded = has.succeeded() - (had == null ? 0 : had.succeeded());
    long failed = has.failed() - (had == null ? 0 : had.failed());
    if (succeeded > 0 || failed > 0) {
      brake(has.definition(), now).ended(Math.max(0, succeeded), Math.max(0, failed));
    }
  }

  private BrakeMachine brake(String definition, Instant now) {
    return brakes.computeIfAbsent(definition, name -> machine(BrakeState.off(name, now), now));
  }

  /** Does what the time demands: windows that end, nodes that are silent, permits. */
  public void tick(Instant now) {
    ticked = now;
    nodes.values().removeIf(node -> !node.heard.plus(SILENCE).isAfter(now));
    for (Map.Entry<String, BrakeMachine> each : brakes.entrySet()) {
      String of = each.getKey();
      if (each.getValue().tick(running(of), load(of), waiting(of), now)) {
        changed.put(of, each.getValue().state());
      }
    }
    brakes
        .values()
        .removeIf(
            brake ->
                brake.state().isDefault()
                    && brake.state().changes().isEmpty()
                    && nodes.values().stream()
                        .noneMatch(n -> n.definitions().containsKey(brake.state().definition())));
    int total = total();
    int waiting = nodes.values().stream().mapToInt(StartDesk::waiting).sum();
    limited = total >= mostRunning || (limited && (waiting > 0 || total > mostRunning * RELAXED));
    if (!now.isBefore(opened.plus(HEARING))) {
      give(now);
    }
  }

  private static int waiting(ReportedStarts node) {
    return node.definitions().values().stream().mapToInt(OfDefinition::waiting).sum();
  }

  private int waiting(String definition) {
    return sum(definition, OfDefinition::waiting);
  }

  private int running(String definition) {
    return sum(definition, OfDefinition::running);
  }

  private int sum(String definition, ToIntFunction<OfDefinition> number) {
    int sum = 0;
    for (ReportedStarts node : nodes.values()) {
      OfDefinition has = node.definitions().get(definition);
      sum += has == null ? 0 : number.applyAsInt(has);
    }
    return sum;
  }

  /**
   * Returns the number of instances that count against the credit: those that run, and permits
   * under way.
   */
  int load(String definition) {
    int sum = sum(definition, OfDefinition::counted);
    for (ReportedStarts node : nodes.values()) {
      sum += unused(node, definition);
    }
    return sum;
  }

  int unused(ReportedStarts node, String definition) {
    return node.unused(definition);
  }

  /** Returns the last reports of the nodes. */
  Collection<ReportedStarts> nodes() {
    return nodes.values();
  }

  /** Returns the instances of the cell that run, with permits under way. */
  private int total() {
    int sum = 0;
    for (ReportedStarts node : nodes.values()) {
      for (OfDefinition has : node.definitions().values()) {
        sum += has.running() + unused(node, has.definition());
      }
    }
    return sum;
  }

  /** Returns how many instances may begin without permits, on the nodes that count. */
  private int room() {
    return nodes.values().stream().mapToInt(node -> node.room).sum();
  }

  /**
   * Returns how many instances a node may start without permits before its next report: an equal
   * share of what no other node was promised. A new desk that has not heard all nodes gives no node
   * more than it has.
   *
   * @param has how many may now, by its report; null if it does not know
   */
  private int share(ReportedStarts node, @Nullable Integer has, Instant now) {
    int others = room() - node.room;
    int share = Math.max(0, mostRunning - total() - others) / Math.max(1, nodes.size());
    boolean hears = now.isBefore(opened.plus(HEARING));
    return limited ? 0 : hears && has != null ? Math.min(has, share) : share;
  }

  /** Gives permits, as far as credit and the limit of the cell reach, by weight. */
  private void give(Instant now) {
    Map<String, Integer> free = new TreeMap<>();
    TreeSet<String> wanting = new TreeSet<>();
    nodes.values().forEach(node -> wanting.addAll(node.definitions().keySet()));
    for (String definition : wanting) {
      int demand = nodes.values().stream().mapToInt(node -> node.demand(definition)).sum();
      int some = Math.min(demand, brake(definition, now).free(load(definition), now));
      if (some > 0) {
        free.put(definition, some);
        share.waits(definition, weight(definition));
      } else {
        share.rests(definition);
      }
    }
    int room = Math.min(MOST_GIVEN, mostRunning - total() - room());
    String next = room > 0 ? share.next() : null;
    while (next != null) {
      permit(next, now);
      share.granted(next);
      room--;
      int left = free.merge(next, -1, Integer::sum);
      if (left <= 0) {
        share.rests(next);
      }
      next = room > 0 ? share.next() : null;
    }
    boolean lacks = free.values().stream().anyMatch(left -> left > 0);
    limited |= lacks && total() + room() >= mostRunning; // so nodes give back what they may begin
    free.keySet().forEach(share::rests);
  }

  /** Returns the weight that was set for a definition, or else the highest that nodes report. */
  private int weight(String definition) {
    Integer set = weights.get(definition);
    int reported = 1;
    for (ReportedStarts node : nodes.values()) {
      OfDefinition has = node.definitions().get(definition);
      if (has != null && has.weight() != null) {
        reported = Math.max(reported, has.weight());
      }
    }
    return set == null ? reported : set;
  }

  private void permit(String definition, Instant now) {
    nodes.values().stream()
        .filter(node -> node.demand(definition) > 0)
        .max(Comparator.comparingInt(node -> node.demand(definition)))
        .ifPresent(
            node -> {
              node.permit(definition);
              brake(definition, now).granted(now);
            });
  }

  private StartAnswer answer(ReportedStarts node, @Nullable Integer has, Instant now) {
    int share = share(node, has, now); // none if it is a late report of a node that is gone
    node.room = Math.max(node.room, share);
    List<BrakeView> on = new ArrayList<>();
    brakes.forEach(
        (definition, brake) -> {
          if (!brake.state().isDefault()) {
            on.add(view(brake, List.of()));
          }
        });
    return new StartAnswer(
        epoch,
        ++answers,
        limited,
        share,
        node.permits(),
        on,
        nodes.values().stream().mapToInt(each -> each.messages).sum());
  }

  /** Returns the states of brakes that have changed since the last call, which are to persist. */
  public List<BrakeState> changed() {
    List<BrakeState> taken = List.copyOf(changed.values());
    changed.clear();
    return taken;
  }

  /** Sets the override of a brake, which is durable already; null removes it. */
  public BrakeView override(String definition, @Nullable BrakeOverride by, Instant now) {
    BrakeMachine brake = brake(definition, now);
    brake.override(by, now);
    return view(brake, brake.state().changes());
  }

  /** Sets the weights of definitions. */
  public void weigh(Map<String, Integer> now) {
    weights = Map.copyOf(now);
  }

  /** Returns the brake of a definition. */
  public BrakeView brake(Instant now, String definition) {
    BrakeMachine known = brakes.get(definition);
    BrakeMachine brake = known == null ? machine(BrakeState.off(definition, now), now) : known;
    return view(brake, brake.state().changes());
  }

  /** Returns the brakes that are or were on, or are overridden. */
  public List<BrakeView> brakes() {
    return brakes.values().stream()
        .filter(brake -> !brake.state().isDefault() || !brake.state().changes().isEmpty())
        .map(brake -> view(brake, brake.state().changes()))
        .toList();
  }

  private BrakeView view(BrakeMachine brake, List<BrakeChange> changes) {
    BrakeState state = brake.state();
    return new BrakeView(
        state.definition(),
        state.level(),
        state.inForce(),
        state.on(),
        state.cause(),
        state.bad(),
        brake.nextProbe(),
        state.override(),
        load(state.definition()),
        waiting(state.definition()),
        changes);
  }
}
