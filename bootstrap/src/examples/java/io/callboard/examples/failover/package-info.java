/**
 * A role that fails over between processes, while a client measures the longest wait for an answer.
 * {@link io.callboard.examples.failover.FailoverShow} ends the holder in three ways; {@link
 * io.callboard.examples.failover.ShowMember} is a process that can hold the role.
 */
@NullMarked
package io.callboard.examples.failover;

import org.jspecify.annotations.NullMarked;
