package io.callboard.grid;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Node that did not leave the cell on purpose, and is gone or believed to be.
 *
 * @param name name of the node
 * @param bootId id of that start of it
 * @param member whether it still counts as a member: it is suspected, and its session has not ended
 * @param since when the grid monitor first saw that it is no member any more; null if it is one, or
 *     that is not known
 */
public record MissingNode(String name, String bootId, boolean member, @Nullable Instant since) {}
