package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypePause;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Durable state of the gate. Running and free slots are not stored: they are derived from the
 * handles, so that no count can leak.
 *
 * @param types types by name
 * @param waiting waiting runs by job
 * @param handles handles by job
 * @param enqueued number of runs enqueued so far
 * @param grants number of grants so far; the number of a grant is its run's fencing token
 * @param limits limits of labels, by label; null for none
 * @param backlogs what is known of the backlogs, by type; null for none
 * @param pauses who paused the types that are, by name; null for none. Beside the types, as the
 *     gate refuses a change by the type that is expected, and not by who paused it
 */
@Machine
public record GateState(
    Map<String, JobType> types,
    Map<String, WaitingRun> waiting,
    Map<String, Handle> handles,
    long enqueued,
    long grants,
    @Nullable Map<String, Integer> limits,
    @Nullable Map<String, BacklogView> backlogs,
    @Nullable Map<String, TypePause> pauses) {

  /**
   * Handle of a run that left the gate.
   *
   * @param runId number of the run within its job
   * @param type name of the type
   * @param host name of the host
   * @param boot boot id of the host
   * @param grantedAt time of the grant
   * @param epoch fencing token of the run
   * @param term term of the host, as it reported last; null from an older node
   * @param silent whether its job was notified that the host is silent; null for no
   * @param labels labels of its job; null for none
   * @param handler name of its handler, of which it has a slot; null for a process
   */
  public record Handle(
      int runId,
      String type,
      String host,
      String boot,
      Instant grantedAt,
      long epoch,
      @Nullable Integer term,
      @Nullable Boolean silent,
      @Nullable Map<String, String> labels,
      @Nullable String handler) {
    /** Creates the handle of a process. */
    public Handle(
        int runId,
        String type,
        String host,
        String boot,
        Instant grantedAt,
        long epoch,
        @Nullable Integer term,
        @Nullable Boolean silent,
        @Nullable Map<String, String> labels) {
      this(runId, type, host, boot, grantedAt, epoch, term, silent, labels, null);
    }

    /** Returns whether the last notice to its job was that the host is silent. */
    public boolean isSilent() {
      return Boolean.TRUE.equals(silent);
    }

    Handle silenced(boolean now) {
      return new Handle(
          runId, type, host, boot, grantedAt, epoch, term, now ? true : null, labels, handler);
    }
  }

  /** Makes the maps persistent; what an older node wrote lacks some. */
  public GateState {
    types = persistent(types);
    waiting = persistent(waiting);
    handles = persistent(handles);
    limits = limits == null || limits.isEmpty() ? null : persistent(limits);
    backlogs = backlogs == null || backlogs.isEmpty() ? null : persistent(backlogs);
    // a persistent map comes from another state, which has looked at it
    pauses = pauses == null || pauses instanceof PMap ? pauses : ofPaused(types, pauses);
  }

  /**
   * Returns those of types that are paused: a node of an older version resumes one, or writes the
   * state, without them.
   */
  private static @Nullable PMap<String, TypePause> ofPaused(
      Map<String, JobType> types, Map<String, TypePause> pauses) {
    PMap<String, TypePause> known = persistent(pauses);
    for (String name : pauses.keySet()) {
      JobType type = types.get(name);
      if (type == null || !type.paused()) {
        known = known.minus(name);
      }
    }
    return known.isEmpty() ? null : known;
  }

  /** Creates a state in which it is not known who paused a type. */
  public GateState(
      Map<String, JobType> types,
      Map<String, WaitingRun> waiting,
      Map<String, Handle> handles,
      long enqueued,
      long grants,
      @Nullable Map<String, Integer> limits,
      @Nullable Map<String, BacklogView> backlogs) {
    this(types, waiting, handles, enqueued, grants, limits, backlogs, null);
  }

  /** Creates a state without limits of labels, and without backlogs. */
  public GateState(
      Map<String, JobType> types,
      Map<String, WaitingRun> waiting,
      Map<String, Handle> handles,
      long enqueued,
      long grants) {
    this(types, waiting, handles, enqueued, grants, null, null);
  }

  private static <V> PMap<String, V> persistent(Map<String, V> map) {
    return map instanceof PMap<String, V> already ? already : HashTreePMap.from(map);
  }

  /** Returns the state before the first event: the one type {@code process}. */
  public static GateState empty() {
    JobType process =
        new JobType(JobType.PROCESS, "process", JobsOptions.DEFAULT_LIMIT, false, RetryPolicy.ONCE);
    return new GateState(Map.of(process.name(), process), Map.of(), Map.of(), 0, 0);
  }

  /**
   * Returns the name of the handler of a type; null for processes, and if there is no such type.
   */
  @Nullable String handler(String type) {
    JobType known = types.get(type);
    return known == null ? null : known.handler();
  }

  /** Returns the limits of labels, by label. */
  public Map<String, Integer> labelLimits() {
    return limits == null ? Map.of() : limits;
  }

  /** Returns what is known of the backlogs that were given runs, by type. */
  public Map<String, BacklogView> knownBacklogs() {
    return backlogs == null ? Map.of() : backlogs;
  }

  /** Returns what is known of the backlog of a type. */
  public BacklogView backlog(String type) {
    return knownBacklogs().getOrDefault(type, BacklogView.EMPTY);
  }

  /** Returns who paused a type; null if it is not paused, or nobody knows. */
  public @Nullable TypePause pause(String type) {
    return pauses == null ? null : pauses.get(type);
  }

  /** Returns the state after an event. */
  public GateState apply(GateEvent event) {
    if (event instanceof GateEvent.Enqueued e) {
      return enqueued(e);
    } else if (event instanceof GateEvent.Withdrawn e) {
      return waiting(persistent(waiting).minus(e.job()), enqueued);
    } else if (event instanceof GateEvent.Granted e) {
      return granted(e);
    } else if (event instanceof GateEvent.Released e) {
      return handles(persistent(handles).minus(e.job()));
    } else if (event instanceof GateEvent.Silenced e) {
      Handle handle = handles.get(e.job());
      return handle == null || handle.runId() != e.runId()
          ? this
          : handles(persistent(handles).plus(e.job(), handle.silenced(e.silent())));
    } else if (event instanceof GateEvent.TypePut e) {
      return put(e.type(), e.pause());
    } else if (event instanceof GateEvent.LimitPut e) {
      PMap<String, Integer> put =
          e.running() == null
              ? persistent(labelLimits()).minus(e.label())
              : persistent(labelLimits()).plus(e.label(), e.running());
      return new GateState(types, waiting, handles, enqueued, grants, put, backlogs, pauses);
    } else if (event instanceof GateEvent.Kept e) {
      // the number of a kept run is used, too
      return backlog(enqueued + 1, e.type(), backlog(e.type()).kept(e.priority()));
    } else if (event instanceof GateEvent.Pulled e) {
      return backlog(enqueued, e.type(), backlog(e.type()).pulled());
    } else if (event instanceof GateEvent.Stocked e) {
      return backlog(enqueued, e.type(), backlog(e.type()).stocked(e.stock()));
    } else if (event instanceof GateEvent.Returned e) {
      return waiting(persistent(waiting).plusAll(e.runs()), enqueued)
          .backlog(enqueued, e.type(), backlog(e.type()).returned(e.stock(), e.left()));
    }
    throw new IllegalStateException("unknown gate event: " + event);
  }

  private GateState put(JobType type, @Nullable TypePause pause) {
    PMap<String, TypePause> known = persistent(pauses == null ? Map.of() : pauses);
    if (!type.paused()) {
      known = known.minus(type.name());
    } else if (pause != null) {
      known = known.plus(type.name(), pause);
    }
    return new GateState(
        persistent(types).plus(type.name(), type),
        waiting,
        handles,
        enqueued,
        grants,
        limits,
        backlogs,
        known.isEmpty() ? null : known);
  }

  private GateState enqueued(GateEvent.Enqueued e) {
    WaitingRun entry =
        new WaitingRun(
            e.runId(),
            e.type(),
            e.priority(),
            e.at(),
            e.notBefore(),
            e.expiresAt(),
            enqueued + 1,
            e.labels() == null ? Map.of() : e.labels(),
            e.requires() == null ? Map.of() : e.requires());
    return waiting(persistent(waiting).plus(e.job(), entry), enqueued + 1);
  }

  private GateState granted(GateEvent.Granted e) {
    WaitingRun entry = waiting.get(e.job());
    Handle handle =
        new Handle(
            e.runId(),
            e.type(),
            e.host(),
            e.boot(),
            e.at(),
            grants + 1,
            e.term(),
            null,
            entry == null || entry.labels().isEmpty() ? null : entry.labels(),
            handler(e.type()));
    return new GateState(
        types,
        persistent(waiting).minus(e.job()),
        persistent(handles).plus(e.job(), handle),
        enqueued,
        grants + 1,
        limits,
        backlogs,
        pauses);
  }

  private GateState waiting(PMap<String, WaitingRun> next, long number) {
    return new GateState(types, next, handles, number, grants, limits, backlogs, pauses);
  }

  private GateState handles(PMap<String, Handle> next) {
    return new GateState(types, waiting, next, enqueued, grants, limits, backlogs, pauses);
  }

  private GateState backlog(long number, String type, BacklogView next) {
    PMap<String, BacklogView> all = persistent(knownBacklogs());
    return new GateState(
        types,
        waiting,
        handles,
        number,
        grants,
        limits,
        next.isEmpty() ? all.minus(type) : all.plus(type, next),
        pauses);
  }
}
