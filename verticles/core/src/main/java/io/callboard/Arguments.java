package io.callboard;

import io.callboard.codecs.ActorPath;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks of what actors give to their methods: each says what to give instead. */
final class Arguments {
  private Arguments() {}

  static void require(ActorPath actor, @Nullable Object given, String what, String right) {
    if (given == null) {
      throw new NullPointerException(
          "%s of %s with null: give it %s".formatted(what, actor, right));
    }
  }

  static void requireReceiver(@Nullable ActorRef<?> receiver) {
    Objects.requireNonNull(receiver, "receiver is null: give the ref of an actor");
  }

  static void requireReceivers(@Nullable Collection<?> receivers) {
    Objects.requireNonNull(receivers, "receivers is null: give the refs of actors");
  }

  static void requireUnstashed(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "unstash needs a count of at least 1, not %d".formatted(most));
    }
  }

  /**
   * Requires a context of the actor's kind.
   *
   * @throws IllegalArgumentException if an interceptor made one of the other kind of it
   */
  static void requireKind(Actor<?> actor, ActorContext given) {
    Class<?> kind = actor instanceof DurableActor ? DurableContext.class : VolatileContext.class;
    if (!kind.isInstance(given)) {
      throw new IllegalArgumentException(
          "%s needs a %s, and got a %s: let the interceptor return a context of that kind"
              .formatted(
                  actor.getClass().getName(), kind.getSimpleName(), given.getClass().getName()));
    }
  }
}
