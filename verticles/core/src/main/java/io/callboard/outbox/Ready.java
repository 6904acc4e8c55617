package io.callboard.outbox;

import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A unit that waits to be committed.
 *
 * @param lease of its actor's partition; empty for a message from outside
 * @param waits whether it waits for a full receiver instead of failing
 * @param done called once, on the durable context
 */
public record Ready(CommitUnit unit, Optional<Lease> lease, boolean waits, Consumer<Result> done) {

  /** What became of a unit. */
  public sealed interface Result {
    /** It is durable. */
    record Committed() implements Result {}

    /** The node stopped before it knew: it may be durable, or become so. */
    record Unknown(String detail) implements Result {}

    /** It is not, and will not be. */
    record Failed(CommitOutcome.Reason reason, String detail) implements Result {}
  }
}
