package io.callboard.jobs.gate;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.protocol.GateEvent;
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
 */
@Machine
public record GateState(
    Map<String, JobType> types,
    Map<String, Waiting> waiting,
    Map<String, Handle> handles,
    long enqueued,
    long grants) {

  /**
   * Waiting run; those of equal rank go in the order of {@code number}.
   *
   * @param runId number of the run within its job
   * @param type name of the type
   * @param priority 0 to 9, higher first
   * @param at when it was enqueued
   * @param notBefore earliest start; null for any time
   * @param expiresAt when it has waited too long; null for never
   * @param number position in the order of enqueueing
   */
  public record Waiting(
      int runId,
      String type,
      int priority,
      Instant at,
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt,
      long number) {

    /** Returns the stored form: one line, because thousands of them share one record. */
    @JsonValue
    String line() {
      return String.join(
          ",",
          String.valueOf(runId),
          type,
          String.valueOf(priority),
          millis(at),
          millis(notBefore),
          millis(expiresAt),
          String.valueOf(number));
    }

    @JsonCreator
    static Waiting parse(String line) {
      String[] part = line.split(",", -1);
      return new Waiting(
          Integer.parseInt(part[0]),
          part[1],
          Integer.parseInt(part[2]),
          Instant.ofEpochMilli(Long.parseLong(part[3])),
          instant(part[4]),
          instant(part[5]),
          Long.parseLong(part[6]));
    }

    private static String millis(@Nullable Instant instant) {
      return instant == null ? "" : String.valueOf(instant.toEpochMilli());
    }

    private static @Nullable Instant instant(String millis) {
      return millis.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(millis));
    }
  }

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
   */
  public record Handle(
      int runId,
      String type,
      String host,
      String boot,
      Instant grantedAt,
      long epoch,
      @Nullable Integer term,
      @Nullable Boolean silent) {

    /** Returns whether its job was notified that the host is silent, and of no end of it. */
    public boolean isSilent() {
      return Boolean.TRUE.equals(silent);
    }

    Handle silenced(boolean now) {
      return new Handle(runId, type, host, boot, grantedAt, epoch, term, now ? true : null);
    }
  }

  /** Makes the maps persistent. */
  public GateState {
    types = persistent(types);
    waiting = persistent(waiting);
    handles = persistent(handles);
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

  /** Returns the state after an event. */
  public GateState apply(GateEvent event) {
    if (event instanceof GateEvent.Enqueued e) {
      Waiting entry =
          new Waiting(
              e.runId(),
              e.type(),
              e.priority(),
              e.at(),
              e.notBefore(),
              e.expiresAt(),
              enqueued + 1);
      return new GateState(
          types, persistent(waiting).plus(e.job(), entry), handles, enqueued + 1, grants);
    } else if (event instanceof GateEvent.Withdrawn e) {
      return new GateState(types, persistent(waiting).minus(e.job()), handles, enqueued, grants);
    } else if (event instanceof GateEvent.Granted e) {
      Handle handle =
          new Handle(e.runId(), e.type(), e.host(), e.boot(), e.at(), grants + 1, e.term(), null);
      return new GateState(
          types,
          persistent(waiting).minus(e.job()),
          persistent(handles).plus(e.job(), handle),
          enqueued,
          grants + 1);
    } else if (event instanceof GateEvent.Released e) {
      return new GateState(types, waiting, persistent(handles).minus(e.job()), enqueued, grants);
    } else if (event instanceof GateEvent.Silenced e) {
      Handle handle = handles.get(e.job());
      return handle == null || handle.runId() != e.runId()
          ? this
          : new GateState(
              types,
              waiting,
              persistent(handles).plus(e.job(), handle.silenced(e.silent())),
              enqueued,
              grants);
    } else if (event instanceof GateEvent.TypePut e) {
      return new GateState(
          persistent(types).plus(e.type().name(), e.type()), waiting, handles, enqueued, grants);
    }
    throw new IllegalStateException("unknown gate event: " + event);
  }
}
