package io.callboard.dashboard.internal.attention;

import org.jspecify.annotations.Nullable;

/**
 * Subject of a trouble, of an action that opens it, or of a search that has found it.
 *
 * @param kind what kind of thing it is, which decides where it is shown
 * @param name its name: a path, an id, or the name of a node, role, type, source or definition
 * @param node name of the other node on which it is; null if it is on this one, or the cell's
 */
public record Subject(Kind kind, String name, @Nullable String node) {
  /** Creates a subject that is not on another node. */
  public Subject(Kind kind, String name) {
    this(kind, name, null);
  }

  /** Kind of a subject. */
  public enum Kind {
    /** The cell as a whole, by its name. */
    CELL,
    /** Node. */
    NODE,
    /** Role. */
    ROLE,
    /** Actor or failure zone. */
    ACTOR,
    /** Scheduling zone. */
    ZONE,
    /** Host of job runs. */
    HOST,
    /** Type of jobs. */
    TYPE,
    /** Job. */
    JOB,
    /** Jobs of a type that are dead. */
    DEAD_JOBS,
    /** Parked messages of an actor, or of several. */
    PARKED,
    /** Instance of a workflow. */
    WORKFLOW,
    /** Workflow definition. */
    DEFINITION,
    /** Source. */
    SOURCE,
    /** Partition, database or other part that has no page. */
    PART
  }

  static Subject of(Kind kind, String name) {
    return new Subject(kind, name);
  }

  /** Returns the subject on another node, if one is named. */
  Subject on(@Nullable String other) {
    return new Subject(kind, name, other);
  }
}
