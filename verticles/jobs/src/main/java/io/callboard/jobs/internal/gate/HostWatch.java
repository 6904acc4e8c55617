package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.gate.HostQuestions.Question;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.RunLook;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Watches the hosts for the gate: decides which are asked, and which jobs learn that the host of
 * their run is silent.
 *
 * <ul>
 *   <li>A host that has not reported for {@link #UNHEARD} is asked for a report, which is the
 *       answer. After {@link GateMachine#SILENCE} and {@link HostQuestions#ENOUGH} questions its
 *       runs are suspect; their slots stay taken, and it gets no runs.
 *   <li>A host that reports a run without progress within the run's own timeout is asked how the
 *       run is. It answers that the run is alive, which its job keeps as an event; that it makes
 *       progress, by the next report; or that it is not there and never will be, so that it is
 *       lost. If it does not answer as often, and as long, the run is suspect and the host gets no
 *       runs, though it reports.
 * </ul>
 *
 * <p>Volatile: a new gate asks anew. No I/O, no clock.
 */
@Machine
final class HostWatch {
  /** Time without a report after which a host is asked: one report is missing by then. */
  static final Duration UNHEARD = Duration.ofSeconds(15);

  private final HostQuestions reports = new HostQuestions();
  private final HostQuestions looks = new HostQuestions();
  private @Nullable Long begunNs;

  /** Processes a report: the host is heard. */
  void heard(HostView host) {
    reports.forget(host.member());
  }

  /** Returns the questions to send now. */
  List<GateStep> questions(
      GateState state,
      Map<String, HostView> hosts,
      Set<String> live,
      Instant now,
      long nowNs,
      int most,
      RandomGenerator random) {
    List<GateStep> questions = new ArrayList<>();
    Map<String, String> unheard = unheard(state, hosts, live, nowNs);
    for (String member : reports.ask(unheard.keySet(), now, nowNs, most, random)) {
      questions.add(new GateStep.Recheck(unheard.getOrDefault(member, member)));
    }
    Map<String, HostView> quiet = quiet(state, hosts);
    Map<String, GateStep.Inspect> byHost = new TreeMap<>();
    int room = most - questions.size();
    for (String run : looks.ask(quiet.keySet(), now, nowNs, room, random)) {
      HostView host = quiet.get(run);
      if (host != null) {
        byHost
            .computeIfAbsent(
                host.name(), name -> new GateStep.Inspect(name, host.boot(), new ArrayList<>()))
            .runs()
            .add(run);
      }
    }
    questions.addAll(byHost.values());
    return questions;
  }

  /** Returns the hosts that owe a report, each {@code name/boot}, with their names. */
  private Map<String, String> unheard(
      GateState state, Map<String, HostView> hosts, Set<String> live, long nowNs) {
    Map<String, String> unheard = new TreeMap<>();
    for (HostView host : hosts.values()) {
      if (nowNs - host.atNs() > UNHEARD.toNanos()) {
        unheard.put(host.member(), host.name());
      }
    }
    if (nowNs - begunNs(nowNs) > UNHEARD.toNanos()) {
      for (Handle handle : state.handles().values()) {
        String member = GateMachine.member(handle.host(), handle.boot());
        if (!isOf(handle, hosts.get(handle.host())) && (live.isEmpty() || live.contains(member))) {
          unheard.put(member, handle.host());
        }
      }
    }
    return unheard;
  }

  /** Returns the runs with a handle that make no progress, as their hosts report. */
  private static Map<String, HostView> quiet(GateState state, Map<String, HostView> hosts) {
    Map<String, HostView> quiet = new TreeMap<>();
    for (HostView host : hosts.values()) {
      for (String run : host.quiet().keySet()) {
        if (GateMachine.held(state, run, host.name(), host.boot()) != null) {
          quiet.put(run, host);
        }
      }
    }
    return quiet;
  }

  /** Returns the notices for the jobs of runs that were asked about. */
  List<GateStep> inspected(GateState state, GateCommand.Inspected answer, Instant now, long nowNs) {
    List<GateStep> notices = new ArrayList<>();
    for (Map.Entry<String, RunLook> entry : new TreeMap<>(answer.runs()).entrySet()) {
      String run = entry.getKey();
      RunLook look = entry.getValue();
      Handle handle = GateMachine.held(state, run, answer.host(), answer.boot());
      if (handle != null && looks.answered(run, look.words(handle.handler() != null), nowNs)) {
        JobCommand.Inspected notice = new JobCommand.Inspected(handle.runId(), look, now);
        notices.add(new GateStep.Notice(GateMachine.job(run), notice));
      }
    }
    return notices;
  }

  /**
   * Adds notices for the jobs of runs whose hosts are silent, and of those that are heard again. A
   * host that is a member and has not reported to this gate yet has {@link GateMachine#SILENCE} for
   * it.
   */
  void silences(
      GateState state,
      Map<String, HostView> hosts,
      Set<String> live,
      long nowNs,
      List<GateStep> decisions) {
    Set<String> voided = new HashSet<>();
    for (GateStep decision : decisions) {
      if (decision instanceof GateStep.Void gone) {
        voided.add(gone.event().job());
      }
    }
    for (Map.Entry<String, Handle> entry : state.handles().entrySet()) {
      if (decisions.size() >= GateMachine.MOST) {
        return;
      }
      String job = entry.getKey();
      Handle handle = entry.getValue();
      if (voided.contains(job)) {
        continue;
      }
      HostView host = hosts.get(handle.host());
      Optional<String> why = silent(job, handle, host, live, nowNs);
      boolean reports = isOf(handle, host) && host != null && !host.isSilent(nowNs);
      if (handle.isSilent() && reports && why.isEmpty()) {
        decisions.add(silence(job, handle, false, "its host reports it again"));
      } else if (!handle.isSilent() && why.isPresent()) {
        decisions.add(silence(job, handle, true, why.get()));
      }
    }
  }

  /** Returns why the host of a run counts as silent; empty if it does not, or not yet. */
  private Optional<String> silent(
      String job, Handle handle, @Nullable HostView host, Set<String> live, long nowNs) {
    String member = GateMachine.member(handle.host(), handle.boot());
    if (isOf(handle, host) && host != null && !host.isSilent(nowNs)) {
      return unanswered(GateMachine.run(job, handle), nowNs)
          .map(
              question ->
                  "host %s reports, but does not say how run %d is: %s"
                      .formatted(handle.host(), handle.runId(), question.words()));
    } else if (!live.isEmpty() && !live.contains(member)) {
      return Optional.of("host %s is no member of the cell any more".formatted(handle.host()));
    }
    boolean late = isOf(handle, host) || nowNs - begunNs(nowNs) > GateMachine.SILENCE.toNanos();
    return reports
        .of(member)
        .filter(question -> late && question.isUnanswered())
        .map(question -> "host %s does not report: %s".formatted(handle.host(), question.words()));
  }

  private Optional<Question> unanswered(String run, long nowNs) {
    return looks
        .of(run)
        .filter(
            question ->
                question.isUnanswered()
                    && nowNs - question.firstNs() > GateMachine.SILENCE.toNanos());
  }

  /** Returns whether a host gets no runs, because it does not report or does not answer. */
  boolean isSilent(HostView host, long nowNs) {
    return host.isSilent(nowNs)
        || host.quiet().keySet().stream().anyMatch(run -> unanswered(run, nowNs).isPresent());
  }

  /** Returns the question to the host of a run, or about the run; empty if none was asked. */
  Optional<Question> question(String job, Handle handle) {
    return reports
        .of(GateMachine.member(handle.host(), handle.boot()))
        .or(() -> looks.of(GateMachine.run(job, handle)));
  }

  /** Returns the question to a host that owes a report; empty if none was asked. */
  Optional<Question> question(HostView host) {
    return reports.of(host.member());
  }

  private static boolean isOf(Handle handle, @Nullable HostView host) {
    return host != null && host.boot().equals(handle.boot());
  }

  private long begunNs(long nowNs) {
    Long known = begunNs;
    if (known == null) {
      known = nowNs;
      begunNs = known;
    }
    return known;
  }

  private static GateStep.Silence silence(String job, Handle handle, boolean silent, String why) {
    return new GateStep.Silence(new GateEvent.Silenced(job, handle.runId(), silent), why);
  }
}
