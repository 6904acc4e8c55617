/**
 * For tests of actors and of stores: a manual clock, seeded rehearsals of many actors with faults,
 * probes, and the contract every store must keep.
 */
@NullMarked
package io.callboard.testkit;

import org.jspecify.annotations.NullMarked;
