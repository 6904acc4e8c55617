/**
 * A role that moves from process to process: several hold it in turn, and one that asks it all the
 * time tells how long it had to wait. {@link io.callboard.examples.failover.FailoverShow} ends the
 * holder in three ways; {@link io.callboard.examples.failover.ShowMember} is one that can hold it.
 */
@NullMarked
package io.callboard.examples.failover;

import org.jspecify.annotations.NullMarked;
