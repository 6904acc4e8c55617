/**
 * Benchmarks that run Callboard beside its peers: {@code bootstrap/bin/bench}.
 *
 * <p>A {@link io.callboard.bench.Row} is one line of the table of numbers to beat. It gives its
 * contenders to {@link io.callboard.bench.Rounds}, which lets them take turns, so that a machine
 * that is slow for a while is slow for all of them, and ends with its {@link
 * io.callboard.bench.Case}s. To add a row: one class, one line in {@link
 * io.callboard.bench.Row#all()}.
 *
 * <p>The rows in memory give all contenders one harness: a {@link io.callboard.bench.Troupe} is one
 * of them, a load drives any, and a receiver checks what it takes. So each pays the same for being
 * measured, some nanoseconds a message for calls that the compiler cannot bind; a contender that is
 * done with a message in 30 ns loses more by that, in proportion, than one that takes 150.
 */
@NullMarked
package io.callboard.bench;

import org.jspecify.annotations.NullMarked;
