/**
 * For tests of actors and of stores: a manual clock, seeded rehearsals of many actors with faults,
 * probes, the contract every store must keep, and the lock on what is stored ({@link
 * io.callboard.testkit.ProtocolLock}).
 */
@NullMarked
package io.callboard.testkit;

import org.jspecify.annotations.NullMarked;
