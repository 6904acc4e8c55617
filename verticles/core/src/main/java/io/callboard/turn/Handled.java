package io.callboard.turn;

import org.jspecify.annotations.Nullable;

/** A message whose handler succeeded; {@code input} is null for the actor's own. */
record Handled(@Nullable Input input, Turn turn) {}
