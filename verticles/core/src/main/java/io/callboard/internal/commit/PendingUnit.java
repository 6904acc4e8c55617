package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.WhenFull;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Commit unit that waits to be committed.
 *
 * @param lease of its actor's partition; empty for a message from outside
 * @param done called once, on the durable context
 */
public record PendingUnit(CommitUnit unit, Optional<Lease> lease, Consumer<Result> done) {

  /** Outcome of a unit. */
  public sealed interface Result {
    /** The unit is durable. */
    record Committed() implements Result {}

    /**
     * The outcome is unknown, for the node stopped before: the unit may be durable, or become so.
     */
    record Unknown(String detail) implements Result {}

    /**
     * The unit is not durable, for a receiver's mailbox has no room. Units submitted later to the
     * same receiver by code outside of a turn get the same result, in their order, so that nothing
     * overtakes it when it is submitted again.
     *
     * @param whenFull the policy of the receiver's mailbox
     */
    record Full(ActorPath receiver, WhenFull whenFull) implements Result {}

    /**
     * The unit is not durable, and will not be.
     *
     * @param receiver the one receiver to which a message cannot be sent, see {@link
     *     CommitOutcome.Refused}
     */
    record Failed(CommitOutcome.Reason reason, String detail, Optional<ActorPath> receiver)
        implements Result {
      /** Creates a failure that is not for the sake of one receiver. */
      public Failed(CommitOutcome.Reason reason, String detail) {
        this(reason, detail, Optional.empty());
      }
    }
  }
}
