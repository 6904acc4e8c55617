package io.callboard.jobs.model;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a job does not run.
 *
 * @param kind {@code gate}, {@code paused}, {@code label-limit}, {@code max-share}, {@code
 *     backlog}, {@code no-slot}, {@code no-host}, {@code unreadable}, {@code draining}, {@code
 *     silent-host}, {@code host-fault}, {@code next}, {@code earlier-run}, {@code starting}, {@code
 *     not-due}, {@code dependency}, {@code held}, {@code stalled}, {@code cancelling}, {@code
 *     overdue}, {@code kill-failed}, {@code not-known} or {@code ended}
 * @param detail the reason in words
 * @param running number of runs that use up the limit; null if none is involved
 * @param limit limit of the type or number of slots; null if none is involved
 * @param position position, from 1, among the due jobs that wait for the same: those of its type,
 *     or, for a free slot, those of all types that may run; null if none is involved
 * @param until when the job becomes due; null if not of kind {@code not-due}
 * @param since since when it holds; null if that is not known
 * @param changesWhen what would change it, in words; null from an older node
 * @param asked path of the actor that was asked last: it gave the reason, or its answer is awaited;
 *     null from an older node
 * @param askedAt when the gate asked the host of the run last; null if it did not
 * @param answer what that answered, in words; null if it has not yet
 * @param remedy action that would end it; null if none would, or from an older node
 */
public record Blocked(
    String kind,
    String detail,
    @Nullable Integer running,
    @Nullable Integer limit,
    @Nullable Integer position,
    @Nullable Instant until,
    @Nullable Instant since,
    @Nullable String changesWhen,
    @Nullable String asked,
    @Nullable Instant askedAt,
    @Nullable String answer,
    @Nullable Remedy remedy) {

  /** Returns a reason without figures. */
  public static Blocked of(String kind, String detail, String changesWhen) {
    return new Blocked(
        kind, detail, null, null, null, null, null, changesWhen, null, null, null, null);
  }

  /** Components of a reason that its copies change. */
  private final class Parts {
    private @Nullable Integer running = Blocked.this.running;
    private @Nullable Integer limit = Blocked.this.limit;
    private @Nullable Integer position = Blocked.this.position;
    private @Nullable Instant until = Blocked.this.until;
    private @Nullable Instant since = Blocked.this.since;
    private @Nullable String asked = Blocked.this.asked;
    private @Nullable Instant askedAt = Blocked.this.askedAt;
    private @Nullable String answer = Blocked.this.answer;
    private @Nullable Remedy remedy = Blocked.this.remedy;
  }

  private Blocked with(Consumer<Parts> change) {
    Parts its = new Parts();
    change.accept(its);
    return new Blocked(
        kind,
        detail,
        its.running,
        its.limit,
        its.position,
        its.until,
        its.since,
        changesWhen,
        its.asked,
        its.askedAt,
        its.answer,
        its.remedy);
  }

  /** Returns the reason with figures of a limit. */
  public Blocked with(int used, @Nullable Integer most, @Nullable Integer place) {
    return with(
        its -> {
          its.running = used;
          its.limit = most;
          its.position = place;
        });
  }

  /** Returns the reason with the time until which the job is not due. */
  public Blocked until(@Nullable Instant due) {
    return with(its -> its.until = due);
  }

  /** Returns the reason with the time since when it holds. */
  public Blocked since(@Nullable Instant begun) {
    return with(its -> its.since = begun);
  }

  /** Returns the reason with the actor that was asked last. */
  public Blocked asked(String actor) {
    return with(its -> its.asked = actor);
  }

  /** Returns the reason with the last question to the host of the run, and its answer. */
  public Blocked question(@Nullable Instant at, @Nullable String itsAnswer) {
    return with(
        its -> {
          its.askedAt = at;
          its.answer = itsAnswer;
        });
  }

  /** Returns the reason with the action that would end it. */
  public Blocked remedy(@Nullable Remedy what) {
    return with(its -> its.remedy = what);
  }
}
