package io.callboard.grid;

import org.jspecify.annotations.Nullable;

/**
 * Defect of the grid that was seen in two consecutive scans.
 *
 * @param kind kind of defect
 * @param what the role, partition, space or nodes concerned
 * @param detail one line for an operator
 * @param node node whose actor it is about, or that should own a partition; null if it is about
 *     neither, and from an older node
 */
public record Finding(Kind kind, String what, String detail, @Nullable String node) {
  /** Creates a finding that is not about an actor of a node. */
  public Finding(Kind kind, String what, String detail) {
    this(kind, what, detail, null);
  }

  /** Kind of defect. */
  public enum Kind {
    /** Role without a holder, though live nodes offer it. */
    ROLE_WITHOUT_HOLDER,
    /** Role that only its holder could run, though there are other nodes. */
    ROLE_WITHOUT_STANDBY,
    /** Partition without an owner, though live nodes host its space. */
    PARTITION_WITHOUT_OWNER,
    /**
     * Mail for actors that no live node hosts, or that the owner of their partition does not host.
     */
    MAIL_FOR_NOBODY,
    /** Clocks of two members that differ by more than 5 s. */
    CLOCKS_DIFFER,
    /** Partition that is not on the node where its ranking places it. */
    OUT_OF_PLACE,
    /** Actor of the toolkit itself that was stopped or given up. */
    TOOLKIT_ACTOR_DOWN,
    /** Host that can do no work though its node lives. */
    HOST_FAULT,
    /** Hosted actor that was given up; its node resumes it after a pause that grows. */
    HOSTED_ACTOR_FAILED;

    /** Returns whether nodes older than this kind would fail to read it. */
    boolean isLater() {
      return this == HOSTED_ACTOR_FAILED;
    }
  }
}
