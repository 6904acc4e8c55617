package io.callboard.testkit.actor;

import io.callboard.testkit.actor.Effect.Answered;
import io.callboard.testkit.actor.Effect.Persisted;
import io.callboard.testkit.actor.Effect.Sent;
import java.util.List;

/**
 * Effects of a {@link TestedActor} that followed from one action of the test, in order.
 *
 * @param list all effects
 */
public record Effects(List<Effect> list) {
  /** Copies the list. */
  public Effects {
    list = List.copyOf(list);
  }

  /** Returns the effects of one kind. */
  public <T extends Effect> List<T> of(Class<T> kind) {
    return list.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * Returns the answer.
   *
   * @throws AssertionError if there is none, or more than one, or it is of another type
   */
  public <T> T answer(Class<T> type) {
    List<Answered> answers = of(Answered.class);
    if (answers.size() != 1 || !type.isInstance(answers.get(0).answer())) {
      throw new AssertionError(
          "expected one answer of type %s, but the effects were %s"
              .formatted(type.getSimpleName(), list));
    }
    return type.cast(answers.get(0).answer());
  }

  /** Returns the persisted events. */
  public List<Object> events() {
    return of(Persisted.class).stream().map(Persisted::event).toList();
  }

  /** Returns the messages told to the actor at {@code path}. */
  public List<Object> sentTo(String path) {
    return of(Sent.class).stream()
        .filter(sent -> sent.to().equals(path))
        .map(Sent::message)
        .toList();
  }
}
