/**
 * Store in memory, faulty on demand: for tests, and for nodes without a cell.
 *
 * <p>{@link io.callboard.store.memory.MemoryCell} holds the data; stores that share it are the
 * nodes of one cell. {@link io.callboard.store.memory.MemoryFaults} loses requests and replies of
 * commits, and a session may be ended or cut off.
 *
 * <p><b>Invariants.</b> S1 to S6 of {@link io.callboard.store}, as the kit of the testkit module
 * checks. A call takes effect before it returns, in the order of the calls.
 *
 * <p><b>Failure window.</b> The process ends, or nothing refers to the cell any more: all is gone.
 */
@NullMarked
@CheckReturnValue
package io.callboard.store.memory;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
