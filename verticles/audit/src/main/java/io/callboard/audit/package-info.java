/**
 * Audit of the changes of a cell, by ZooKeeper's own transaction log and independently of the code
 * that made them: this package knows the layout of the znodes and the codec of their contents, and
 * nothing of the code that writes them.
 *
 * <p>{@link io.callboard.audit.TxnLogHistory} replays the log from its beginning and reports which
 * transaction breaks which {@link io.callboard.audit.Violation.Rule}: whether each multi carries
 * the checks of its owner's lease and incarnation, epochs and numbers rise by one, turns and
 * sequences have no gap, a message is stored once and deleted when it is consumed. It needs the
 * whole log; ZooKeeper's own purge must not have removed a part.
 *
 * <p>Used by the tests of this module and by {@code bootstrap/bin/chaos}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.audit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
