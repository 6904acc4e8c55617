package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kind of items for bulk actions: jobs, or instances of workflows.
 *
 * @param <S> states that an item can be in
 * @param <A> actions
 */
public interface BulkKind<S extends Enum<S>, A extends BulkAction<S>> {
  /** Returns the word for one item, such as {@code job}. */
  String one();

  /** Returns the word for many. */
  String many();

  /** Returns the fields of a filter, as the contract names them. */
  List<String> fields();

  /** Returns the state of that name, one of the contract's. */
  S state(String name);

  /** Returns the action of that word, one of the contract's. */
  A action(String word);

  /**
   * Returns a page of the items of a filter that the action is for, the oldest first.
   *
   * @param state the only state of the items, whatever the filter says
   * @param cursor {@code next} of the page before; null for the first
   */
  Future<BulkPage<S>> page(
      A action, BulkFilter filter, S state, int limit, @Nullable String cursor);

  /** Returns the number of all items, as the nodes count them. */
  Future<Long> total();

  /** Returns the state in which an item is now. */
  Future<S> stateOf(String id);

  /** Does an action to one item. */
  Future<Void> act(A action, String id);

  /** Does an action to one item, if the item is in one of the given states. */
  default Future<Void> act(A action, String id, List<S> meant) {
    return stateOf(id)
        .compose(
            state ->
                meant.contains(state)
                    ? act(action, id)
                    : Future.failedFuture(
                        new ProblemException(
                            Problem.of(
                                Problem.Kind.ILLEGAL_STATE,
                                "it is %s by now, and the request was for %s that are %s"
                                    .formatted(state, many(), words(meant))))));
  }

  /** Returns states, for people. */
  static String words(List<? extends Enum<?>> states) {
    return String.join(", ", states.stream().map(Enum::name).toList());
  }
}
