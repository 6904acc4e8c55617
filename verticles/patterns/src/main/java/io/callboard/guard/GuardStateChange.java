package io.callboard.guard;

import io.callboard.codecs.ActorPath;
import io.callboard.guard.GuardStatus.State;
import org.jspecify.annotations.Nullable;

/**
 * Change of the circuit of a guard: it has opened, lets a trial through, or has closed; see {@link
 * GuardOptions#listener}.
 *
 * @param guard its path
 * @param to {@link State#OPEN}, {@link State#HALF_OPEN} or {@link State#CLOSED}
 * @param failures number of consecutive failures up to then; 0 when it closes
 * @param cause the last failure; null when it closes
 */
public record GuardStateChange(
    ActorPath guard, State from, State to, long failures, @Nullable Throwable cause) {}
