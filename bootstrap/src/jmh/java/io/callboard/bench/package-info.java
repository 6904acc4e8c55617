/**
 * Benchmarks that run their peers beside us: {@code bootstrap/bin/bench}.
 *
 * <p>A {@link io.callboard.bench.Row} is one line of the table of numbers to beat. It gives its
 * contenders to {@link io.callboard.bench.Rounds}, which lets them take turns, so that a machine
 * that is slow for a while is slow for all of them, and ends with its {@link
 * io.callboard.bench.Case}s. To add a row: one class, one line in {@link
 * io.callboard.bench.Row#all()}.
 */
@NullMarked
package io.callboard.bench;

import org.jspecify.annotations.NullMarked;
