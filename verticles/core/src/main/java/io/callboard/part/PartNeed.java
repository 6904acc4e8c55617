package io.callboard.part;

import org.jspecify.annotations.Nullable;

/**
 * Part that another one needs, and which therefore starts before it.
 *
 * @param type type of what the part gives
 * @param remedy how a node gets the part, such as {@code add Jobs.part()}; null if it is used only
 *     if the node has it
 */
public record PartNeed(Class<?> type, @Nullable String remedy) {
  /** Returns the need of a part without which the other cannot start. */
  public static PartNeed of(Class<?> type, String remedy) {
    return new PartNeed(type, remedy);
  }

  /** Returns the use of a part that the node may lack. */
  public static PartNeed optional(Class<?> type) {
    return new PartNeed(type, null);
  }
}
