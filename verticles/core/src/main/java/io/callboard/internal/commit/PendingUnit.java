package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.WhenFull;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A unit that waits to be committed.
 *
 * @param lease of its actor's partition; empty for a message from outside
 * @param done called once, on the durable context
 */
public record PendingUnit(CommitUnit unit, Optional<Lease> lease, Consumer<Result> done) {

  /** What became of a unit. */
  public sealed interface Result {
    /** It is durable. */
    record Committed() implements Result {}

    /** The node stopped before it knew: it may be durable, or become so. */
    record Unknown(String detail) implements Result {}

    /**
     * It is not: there is no room in a receiver's mailbox. What was submitted later by code outside
     * of a turn to the same receiver is told the same, in its order, so that nothing overtakes it
     * when it is submitted again.
     *
     * @param whenFull what the receiver wishes
     */
    record Full(ActorPath receiver, WhenFull whenFull) implements Result {}

    /** It is not, and will not be. */
    record Failed(CommitOutcome.Reason reason, String detail) implements Result {}
  }
}
