package io.callboard.grid;

/**
 * Something that is not as it should be in the grid, twice in a row.
 *
 * @param what the role, partition, space or nodes
 * @param detail one line for an operator
 */
public record Finding(Kind kind, String what, String detail) {
  /** What is wrong. */
  public enum Kind {
    /** Nobody holds a role that live nodes offer. */
    ROLE_WITHOUT_HOLDER,
    /** There are other nodes, and none that would take the role. */
    ROLE_WITHOUT_STANDBY,
    /** Nobody owns a partition whose space live nodes host. */
    PARTITION_WITHOUT_OWNER,
    /** Mail waits for actors that no live node hosts, or not the one that owns them. */
    MAIL_FOR_NOBODY,
    /** The clocks of two members differ by more than 5 s. */
    CLOCKS_DIFFER,
    /** A partition is not where its ranking says. */
    OUT_OF_PLACE,
    /** One of the toolkit's own actors was stopped, or gave up. */
    TOOLKIT_ACTOR_DOWN,
    /** A host can do no work though its node lives. */
    HOST_FAULT,
    /** A hosted actor gave up; its node resumes it after a pause that grows. */
    HOSTED_ACTOR_FAILED;

    /** Whether nodes before this kind was added would fail to read it. */
    boolean isLater() {
      return this == HOSTED_ACTOR_FAILED;
    }
  }
}
