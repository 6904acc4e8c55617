package io.callboard.dashboard.attention;

/**
 * What a trouble is about, what an action opens, or what a search has found.
 *
 * @param kind what kind of thing it is, which decides where it is shown
 * @param name its name: a path, an id, or the name of a node, role, type, source or definition
 */
public record Subject(Kind kind, String name) {
  /** Kind of a subject. */
  public enum Kind {
    /** The cell as a whole, by its name. */
    CELL,
    /** Node. */
    NODE,
    /** Role. */
    ROLE,
    /** Actor or failure zone of this node. */
    ACTOR,
    /** Scheduling zone of this node. */
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
}
