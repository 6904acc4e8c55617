package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides for the gate which runs start, and which are given up. No I/O, no clock: state, reports,
 * members and the time in, decisions out. What it knows beside the state is volatile: it may think
 * too many runs alive after a restart, never too few.
 *
 * <p>A handle is voided only on its host's word, or when its host is dead:
 *
 * <ul>
 *   <li>The host has reported in a later term, and not this run: it refuses grants of earlier
 *       terms.
 *   <li>The host does not report the run for {@link #START_GRACE}: it is asked to disown it, and
 *       answers with a promise that it never starts. The time only saves questions; an answer is
 *       right at any age, since a run has a name of its own.
 *   <li>The host's boot has been no member of the cell for {@link #DEATH_GRACE}: its own clock, or
 *       its guard's, has ended its runs by then, and it begins a new term before it is a member
 *       again.
 * </ul>
 *
 * <p>Whether a slot is free never depends on another machine's clock. When a waiting run is due,
 * and when it has waited too long, its job has reckoned by the wall clock of its node, and the gate
 * compares that with its own: a clock that is wrong makes a run early or late. A turn makes {@link
 * #MOST} decisions of each kind at most; {@link #hasMore} says that there may be more.
 */
public final class GateMachine {
  /** Time after which a granted run that its host does not report is asked for. */
  static final Duration START_GRACE = Duration.ofSeconds(15);

  /**
   * Time after which a host that is no member any more counts as dead: its runs have been killed by
   * then.
   */
  static final Duration DEATH_GRACE = Duration.ofSeconds(5);

  /** Time without a report after which a host is given no runs. */
  static final Duration SILENCE = Duration.ofSeconds(35);

  /** Time after which an unanswered question is asked again. */
  static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  /** Maximum number of decisions in one turn. */
  public static final int MOST = 200;

  private final Map<String, HostView> hosts = new TreeMap<>();

  /** Reports of hosts that are not known as members yet. */
  private final Map<String, HostView> strangers = new HashMap<>();

  private final Map<String, Long> missingSinceNs = new HashMap<>();
  private final Map<String, Long> askAtNs = new HashMap<>();

  /** Runs that a host reports and that have no handle, by host; their jobs get no other. */
  private final Map<String, Set<String>> orphans = new HashMap<>();

  private final Set<String> kills = new HashSet<>();

  /** When a run that was to be killed is killed again, if it is still reported. */
  private final Map<String, Long> killAtNs = new HashMap<>();

  /** Hosts to be asked for another report. */
  private final Set<String> rechecks = new TreeSet<>();

  private Set<String> live = Set.of();
  private Set<String> draining = Set.of();
  private final GateIndex index = new GateIndex();
  private final Window window;
  private final HostLabels labels = new HostLabels();
  private final UnreadableRuns unreadable = new UnreadableRuns();
  private boolean more;
  private final HostWatch watch = new HostWatch();

  /** Creates the machine. */
  public GateMachine() {
    this(Window.MOST);
  }

  /**
   * Creates the machine.
   *
   * @param window number of waiting runs from which on others wait in the backlogs
   */
  public GateMachine(int window) {
    this.window = new Window(window);
  }

  /**
   * Processes the report of a host.
   *
   * @return whether its boot is known as a member; otherwise the report counts once it is
   */
  public boolean report(GateState state, HostView report) {
    HostView known = hosts.get(report.name());
    if (known != null && report.isOlderThan(known)) {
      return true;
    }
    if (!live.contains(member(report.name(), report.boot()))) {
      strangers.put(report.name(), report);
      return false;
    }
    boolean again = known != null && known.boot().equals(report.boot());
    hosts.put(report.name(), report);
    labels.reports(report);
    strangers.remove(report.name());
    watch.heard(report);
    findOrphans(state, report, again ? orphans.getOrDefault(report.name(), Set.of()) : Set.of());
    return true;
  }

  /**
   * Finds the runs without a handle. The report may be older than the end of such a run, so the
   * host is asked for another first; a run that is in two reports, one after the other, is killed.
   * Its job gets no run from the first on.
   *
   * @param before those of the report before
   */
  private void findOrphans(GateState state, HostView report, Set<String> before) {
    Set<String> found = new HashSet<>();
    for (String run : report.runs()) {
      Handle handle = state.handles().get(job(run));
      boolean held =
          handle != null
              && handle.host().equals(report.name())
              && run(job(run), handle).equals(run);
      if (!held && !report.ended().contains(run)) { // its job may have released it meanwhile
        found.add(run);
        if (!before.contains(run)) {
          rechecks.add(report.name());
        } else if (report.atNs() - killAtNs.getOrDefault(run, report.atNs()) >= 0) {
          kills.add(run);
          killAtNs.put(run, report.atNs() + ASK_AGAIN.toNanos());
        }
      }
    }
    before.stream().filter(run -> !found.contains(run)).forEach(killAtNs::remove);
    orphans.put(report.name(), found);
  }

  /** Processes the answer that disowned runs are not on that host and never will be. */
  public List<GateStep> disowned(GateState state, GateCommand.Disowned answer) {
    List<GateStep> decisions = new ArrayList<>();
    for (String run : answer.runs()) {
      Handle handle = held(state, run, answer.host(), answer.boot());
      if (handle != null) {
        decisions.add(voided(job(run), handle, "its host does not have it", false));
      }
    }
    return decisions;
  }

  /**
   * Returns the questions to hosts that are silent, or whose runs make no progress, at most {@link
   * #MOST}.
   *
   * @param random source of the jitter of their repetitions
   */
  public List<GateStep> questions(
      GateState state, Instant now, long nowNs, RandomGenerator random) {
    return watch.questions(state, hosts, live, now, nowNs, MOST, random);
  }

  /** Processes the answer how runs are that make no progress. */
  public List<GateStep> inspected(
      GateState state, GateCommand.Inspected answer, Instant now, long nowNs) {
    List<GateStep> decisions = new ArrayList<>(watch.inspected(state, answer, now, nowNs));
    decisions.addAll(
        disowned(state, new GateCommand.Disowned(answer.host(), answer.boot(), answer.gone())));
    return decisions;
  }

  /** Follows an event that has changed the state, so that the next decision is cheap. */
  public void apply(GateState before, GateEvent event, GateState after) {
    index.apply(before, event, after);
  }

  /** Returns how many of the runs with a handle each label's limit counts. */
  public RunCounts counts(GateState state) {
    index.sync(state);
    return index.counts();
  }

  /** Sets the live nodes; none of them has labels. */
  public void members(
      GateState state, Collection<String> seen, Collection<String> drain, long nowNs) {
    members(state, seen, drain, Map.of(), nowNs);
  }

  /**
   * Sets the live nodes, each {@code name/boot}. An empty list means that they could not be read,
   * and nothing follows from it.
   *
   * @param drain names of those that take no runs
   * @param labelled labels of hosts that have any, by name
   */
  public void members(
      GateState state,
      Collection<String> seen,
      Collection<String> drain,
      Map<String, Map<String, String>> labelled,
      long nowNs) {
    if (seen.isEmpty()) {
      return;
    }
    labels.put(labelled);
    live = Set.copyOf(seen);
    strangers.values().removeIf(host -> host.isSilent(nowNs));
    draining = Set.copyOf(drain);
    hosts.values().removeIf(host -> !live.contains(member(host.name(), host.boot())));
    labels.retain(hosts.keySet());
    unreadable.retain(live);
    orphans.keySet().retainAll(hosts.keySet());
    killAtNs.keySet().removeIf(run -> orphan(job(run)).isEmpty());
    for (HostView stranger : List.copyOf(strangers.values())) {
      if (live.contains(member(stranger.name(), stranger.boot()))) {
        boolean unused = report(state, stranger);
      }
    }
    Set<String> missing = new HashSet<>();
    for (Handle handle : state.handles().values()) {
      String boot = member(handle.host(), handle.boot());
      if (!live.contains(boot)) {
        missing.add(boot);
      }
    }
    missingSinceNs.keySet().retainAll(missing);
    missing.forEach(boot -> missingSinceNs.putIfAbsent(boot, nowNs));
  }

  /** Returns whether a turn left decisions to make. */
  public boolean hasMore() {
    return more;
  }

  /**
   * Returns the decisions to give up runs now, at most {@link #MOST}: losses, then silences, then
   * expiries. Grants follow from the state after them.
   */
  public List<GateStep> giveUp(GateState state, Instant now, long nowNs) {
    List<GateStep> decisions = new ArrayList<>();
    index.sync(state);
    giveUp(state, nowNs, decisions);
    watch.silences(state, hosts, live, nowNs, decisions);
    expire(state, now, decisions);
    unreadable.look(state, index, hosts.values(), offers(nowNs), labels, nowNs);
    unreadable.expire(index, state, now, nowNs, MOST, decisions);
    more = decisions.size() >= MOST;
    return decisions;
  }

  /**
   * Returns a run in the form in which it waits, with the handler of its type among its
   * requirements.
   */
  public GateCommand.Enqueue needing(GateState state, GateCommand.Enqueue run) {
    return HandlerNeed.added(state, run);
  }

  /** Returns whether a run is given to the backlog of its type because the window is full. */
  public boolean isFull(GateState state, GateCommand.Enqueue e, Instant now) {
    index.sync(state);
    return window.isFull(state, index, e, now);
  }

  /**
   * Returns the pulls from backlogs for which the window has room; hosts offer what they did at the
   * last {@link #grants(GateState, Instant, long)}.
   */
  public List<GateStep> pulls(GateState state) {
    index.sync(state);
    return window.pulls(state, index, labels);
  }

  /** Returns the grants of runs that may start now, at most {@link #MOST}. */
  public List<GateStep> grants(GateState state, Instant now, long nowNs) {
    return grants(state, now, nowNs, MOST);
  }

  private void giveUp(GateState state, long nowNs, List<GateStep> decisions) {
    killOrphans(decisions);
    Map<String, Handle> absent = new HashMap<>();
    for (Map.Entry<String, Handle> entry : state.handles().entrySet()) {
      Handle handle = entry.getValue();
      String run = run(entry.getKey(), handle);
      HostView host = hosts.get(handle.host());
      boolean room = decisions.size() < MOST;
      if (host == null || !host.boot().equals(handle.boot())) {
        if (room && isDead(handle, nowNs)) {
          String why = host == null ? "its host is dead" : "its host was restarted";
          decisions.add(voided(entry.getKey(), handle, why, true));
        }
      } else if (!host.runs().contains(run)) {
        if (term(handle) >= host.term()) {
          absent.put(run, handle);
        } else if (room) {
          decisions.add(voided(entry.getKey(), handle, "its host gave up its runs", false));
        }
      }
    }
    decisions.addAll(questions(absent, nowNs));
  }

  private void killOrphans(List<GateStep> decisions) {
    rechecks.forEach(host -> decisions.add(new GateStep.Recheck(host)));
    rechecks.clear();
    for (String run : List.copyOf(kills)) {
      if (decisions.size() >= MOST) {
        return;
      }
      kills.remove(run);
      reporter(run)
          .ifPresent(host -> decisions.add(new GateStep.Kill(host.name(), host.boot(), run)));
    }
  }

  /**
   * Returns the questions to send, longest due first, so that no unresponsive host delays others.
   */
  private Collection<GateStep.Ask> questions(Map<String, Handle> absent, long nowNs) {
    askAtNs.keySet().retainAll(absent.keySet());
    absent.keySet().forEach(run -> askAtNs.putIfAbsent(run, nowNs + START_GRACE.toNanos()));
    Map<String, GateStep.Ask> questions = new TreeMap<>();
    askAtNs.entrySet().stream()
        .filter(due -> due.getValue() - nowNs <= 0)
        .sorted(Comparator.comparingLong(due -> due.getValue() - nowNs))
        .limit(MOST)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(
            run -> {
              askAtNs.put(run, nowNs + ASK_AGAIN.toNanos());
              Handle handle = Objects.requireNonNull(absent.get(run));
              questions
                  .computeIfAbsent(
                      handle.host(), h -> new GateStep.Ask(h, handle.boot(), new ArrayList<>()))
                  .runs()
                  .add(run);
            });
    return questions.values();
  }

  private Optional<HostView> reporter(String orphan) {
    return orphans.entrySet().stream()
        .filter(entry -> entry.getValue().contains(orphan))
        .flatMap(entry -> Optional.ofNullable(hosts.get(entry.getKey())).stream())
        .findFirst();
  }

  /** Returns, in words, a run of the job that is alive without a handle, and its host. */
  Optional<String> orphan(String job) {
    return orphans.entrySet().stream()
        .flatMap(
            host ->
                host.getValue().stream()
                    .filter(run -> job(run).equals(job))
                    .map(run -> "%s on host %s".formatted(run, host.getKey())))
        .findFirst();
  }

  private boolean isDead(Handle handle, long nowNs) {
    Long since = missingSinceNs.get(member(handle.host(), handle.boot()));
    return since != null && nowNs - since >= DEATH_GRACE.toNanos();
  }

  private void expire(GateState state, Instant now, List<GateStep> decisions) {
    for (String job : index.expired(now, MOST - decisions.size())) {
      WaitingRun waiting = state.waiting().get(job);
      if (waiting != null) {
        decisions.add(new GateStep.Expire(new GateEvent.Withdrawn(job), waiting.runId()));
      }
    }
  }

  private List<GateStep> grants(GateState state, Instant now, long nowNs, int most) {
    Set<String> barred = new HashSet<>();
    orphans.values().forEach(runs -> runs.forEach(run -> barred.add(job(run))));
    List<GateStep> decisions = new ArrayList<>();
    Collection<HostView> takers = offers(nowNs);
    labels.take(takers);
    for (AdmissionMachine.Grant grant :
        AdmissionMachine.decide(
            state,
            index,
            takers,
            labels::meets,
            (host, type) -> unreadable.isLast(host, type, labels),
            barred::contains,
            now,
            most)) {
      WaitingRun waiting = grant.waiting();
      HostView host = grant.host();
      decisions.add(
          new GateStep.Grant(
              new GateEvent.Granted(
                  grant.job(),
                  waiting.runId(),
                  waiting.type(),
                  host.name(),
                  host.boot(),
                  now,
                  host.term()),
              state.grants() + decisions.size() + 1));
    }
    more |= decisions.size() >= most;
    return decisions;
  }

  /** Returns the hosts that may be given runs. */
  private Collection<HostView> offers(long nowNs) {
    return hosts.values().stream()
        .filter(host -> !watch.isSilent(host, nowNs) && !draining.contains(host.name()))
        .toList();
  }

  /** Returns every host that has reported and is a member, by name. */
  public Map<String, HostView> hosts() {
    return hosts;
  }

  HostLabels labels() {
    return labels;
  }

  UnreadableRuns unreadable() {
    return unreadable;
  }

  HostWatch watch() {
    return watch;
  }

  boolean isDraining(String host) {
    return draining.contains(host);
  }

  private static GateStep.Void voided(String job, Handle handle, String why, boolean withNode) {
    return new GateStep.Void(new GateEvent.Released(job, handle.runId()), why, withNode);
  }

  private static int term(Handle handle) {
    return handle.term() == null ? 0 : handle.term();
  }

  static String run(String job, Handle handle) {
    return job + "/" + handle.runId();
  }

  /** Returns the handle of a run on a boot of a host; null if it has none there. */
  static @Nullable Handle held(GateState state, String run, String host, String boot) {
    Handle handle = state.handles().get(job(run));
    return handle != null
            && run(job(run), handle).equals(run)
            && handle.host().equals(host)
            && handle.boot().equals(boot)
        ? handle
        : null;
  }

  static String job(String run) {
    return run.substring(0, run.indexOf('/'));
  }

  static String member(String name, String boot) {
    return name + "/" + boot;
  }
}
