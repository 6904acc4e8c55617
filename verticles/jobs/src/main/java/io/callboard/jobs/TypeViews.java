package io.callboard.jobs;

import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.TypePause;
import io.callboard.jobs.model.TypeView;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Types of jobs with their pauses, and changes in the name of a user. Pausing a paused type changes
 * nothing, not even who paused it. Futures fail with {@link JobException}; with {@code INVALID} if
 * a text has more than {@value TypePause#MOST_TEXT} characters.
 */
public final class TypeViews {
  private final GateClient gate;

  TypeViews(GateClient gate) {
    this.gate = gate;
  }

  /** Returns all types, by name. */
  public Future<List<TypeView>> all() {
    return gate.views();
  }

  /** Returns a type; fails with {@code NOT_FOUND}, naming the types, if there is none. */
  public Future<TypeView> of(String name) {
    return gate.view(name);
  }

  /**
   * Creates or changes a type as {@link Jobs#putType(JobType, JobType)} does.
   *
   * @param expected the type as it was read; null for any
   * @param by who asks for it, if it pauses the type; null for nobody who is named
   * @param reason why, for people; null for none
   */
  public Future<TypeView> put(
      JobType type, @Nullable JobType expected, @Nullable String by, @Nullable String reason) {
    return gate.put(type, expected, by, reason);
  }

  /**
   * Pauses a type: none of its jobs is started until it is resumed; runs under way go on.
   *
   * @param by who asks for it; null for nobody who is named
   * @param reason why, for people; null for none
   */
  public Future<TypeView> pause(String name, @Nullable String by, @Nullable String reason) {
    return gate.pause(name, true, by, reason);
  }

  /** Resumes a paused type. */
  public Future<TypeView> resume(String name) {
    return gate.pause(name, false, null, null);
  }
}
