package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.contract.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Action on many items of one kind: the same as to one.
 *
 * @param <S> states that an item can be in
 */
public interface BulkAction<S extends Enum<S>> {
  /** Returns its name, in capitals. */
  String name();

  /** Returns the states of the items that are meant if none is asked for. */
  List<S> states();

  /** Returns the states in which it can be done to an item. */
  default List<S> possible() {
    return states();
  }

  /** Returns the role that it needs, as for one item. */
  default Role role() {
    return Role.OPERATOR;
  }

  /** Returns the word that stands for it in paths and answers. */
  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the states of the items that are meant if that one is asked for, or none. */
  default List<S> meant(@Nullable S asked) {
    return asked == null ? states() : List.of(asked);
  }
}
