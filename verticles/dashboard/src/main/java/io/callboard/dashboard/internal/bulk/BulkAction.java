package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.contract.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Action on many items of one kind, done to each as to one alone.
 *
 * @param <S> states that an item can be in
 */
public interface BulkAction<S extends Enum<S>> {
  /** Returns the name of the action, in capitals. */
  String name();

  /** Returns the states of the items to act on if no state is asked for. */
  List<S> states();

  /** Returns the states of items in which the action is possible. */
  default List<S> possible() {
    return states();
  }

  /** Returns the role that the action needs, as for one item. */
  default Role role() {
    return Role.OPERATOR;
  }

  /** Returns the word for the action in paths and answers. */
  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the states of the items to act on.
   *
   * @param asked state that is asked for; null for none
   */
  default List<S> meant(@Nullable S asked) {
    return asked == null ? states() : List.of(asked);
  }
}
