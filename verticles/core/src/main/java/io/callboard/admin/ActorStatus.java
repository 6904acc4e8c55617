package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.RestartBudget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of one actor of a node.
 *
 * @param queued messages waiting in memory (volatile) or read ahead (durable)
 * @param handled messages handled since it was spawned here
 * @param nextAttempt time of its next start; null unless it {@link State#WAITS}
 * @param mailbox of a durable actor that this node owns; null for others
 * @param details details of an actor that reports some, as a guard does ({@link StatusDetails});
 *     null for others
 * @param recovery progress of its recovery; null if it is not recovering
 * @param supervisor the path of its failure zone; null if it is in none
 * @param needs what must be resumed before it can run: a failure zone that it is in, or a sibling;
 *     null if nothing of that kind rests
 * @param childKind when its supervisor starts it again
 * @param budget what is left of its restarts; null if it has no intensity of its own, so that only
 *     the budget of its failure zone limits them
 * @param failing its failures since it last ran well; null if there are none, or it is not to run
 *     here now
 * @param interrupted its interruptions since it last handled a message; null if there are none, if
 *     it is not to run here now, or if it runs and no mail waits, or was not interrupted lately
 */
public record ActorStatus(
    ActorPath path,
    String node,
    String type,
    boolean durable,
    String zone,
    State state,
    long queued,
    long handled,
    long failures,
    int restarts,
    @Nullable String lastFailure,
    @Nullable Instant lastFailureAt,
    @Nullable Instant nextAttempt,
    @Nullable MailboxStatus mailbox,
    @Nullable Record details,
    @Nullable RecoveryStatus recovery,
    @Nullable ActorPath supervisor,
    @Nullable ActorPath needs,
    ChildKind childKind,
    @Nullable RestartBudget budget,
    @Nullable FailureStreak failing,
    @Nullable InterruptionStreak interrupted) {

  /** State of an actor; passivated, stopped and failed are three different states. */
  public enum State {
    /** State of an actor that is being read, or whose start is in progress. */
    STARTING,
    /** State of an actor that handles messages or waits for the next one. */
    RUNNING,
    /** State of an actor that failed and is started again after its backoff; its mail waits. */
    WAITS,
    /**
     * State of an actor that failed more often than its supervisor allows, or cannot run. Mail
     * waits until its node is restarted or {@link CallboardAdmin#resume} is called there.
     */
    FAILED,
    /** State of an actor that another node owns. */
    ELSEWHERE,
    /** State of an actor that was idle and left memory; its next message starts it. */
    PASSIVATED,
    /** State of an actor that was stopped on purpose. */
    STOPPED,
    /**
     * State of an actor that needs something that rests: its failure zone, one above, or a sibling
     * before it. Its mail waits until {@link #needs} is resumed.
     */
    RESTS;

    /**
     * Returns whether the actor stays down until it is resumed, or the zone or sibling that it
     * needs.
     */
    public boolean needsResume() {
      return this == FAILED || this == STOPPED || this == RESTS;
    }
  }
}
