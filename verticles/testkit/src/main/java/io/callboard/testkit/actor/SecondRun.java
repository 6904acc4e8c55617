package io.callboard.testkit.actor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorRef;
import io.callboard.codecs.Json;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comparison of the effects of two objects for the same message in the same state. */
final class SecondRun {
  private SecondRun() {}

  /** Waits until a millisecond has passed, so that a clock shows the second object another time. */
  static void later() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  /**
   * Compares the turns of the second object with those of the first.
   *
   * @throws AssertionError if they differ; it shows the first difference
   */
  static void compare(String actor, List<RecordedTurn> firsts, List<RecordedTurn> seconds) {
    for (int i = 0; i < Math.min(firsts.size(), seconds.size()); i++) {
      RecordedTurn first = firsts.get(i);
      RecordedTurn second = seconds.get(i);
      if (!value(first.message()).equals(value(second.message()))) {
        return; // both received the same messages in another order
      } else if (first.isOver() && !second.isOver()) {
        throw new AssertionError(
            ("the turn of %s for %s has ended, but the second turn that it is compared with has not: it waits for a future of its own. Complete that one as well, or use Setup.once()")
                .formatted(actor, first.message()));
      } else if (first.isOver()) {
        compare(
            first.message(),
            List.copyOf(first.effects()),
            first.failure(),
            List.copyOf(second.effects()),
            second.failure());
      }
    }
  }

  private static void compare(
      Object message,
      List<Effect> first,
      @Nullable Throwable firstFailure,
      List<Effect> second,
      @Nullable Throwable secondFailure) {
    for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
      String one = i < first.size() ? json(first.get(i)) : ended(firstFailure);
      String other = i < second.size() ? json(second.get(i)) : ended(secondFailure);
      if (!one.equals(other)) {
        throw impure(message, one, other);
      }
    }
    if (!kind(firstFailure).equals(kind(secondFailure))) {
      throw impure(message, ended(firstFailure), ended(secondFailure));
    }
  }

  private static AssertionError impure(Object message, String one, String other) {
    return new AssertionError(
        """
        a second object, in the same state, did something else with %s.
          first:  %s
          second: %s
        A durable actor's handler may run again after a crash, so it must depend on its state and \
        the message only: look for a clock, randomness, a field that is not in the state, or a \
        static. TestedActor.Setup.once() turns this off.\
        """
            .formatted(message, one, other));
  }

  private static String ended(@Nullable Throwable failure) {
    return failure == null ? "nothing more" : "failed: " + failure;
  }

  private static String kind(@Nullable Throwable failure) {
    return failure == null ? "" : failure.getClass().getName();
  }

  private static String json(Effect effect) {
    return ((ObjectNode) record((Record) effect)).toString();
  }

  private static JsonNode record(Record record) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("is", record.getClass().getSimpleName());
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      node.set(component.getName(), value(read(record, component)));
    }
    return node;
  }

  private static JsonNode value(@Nullable Object value) {
    if (value == null) {
      return JsonNodeFactory.instance.nullNode();
    } else if (value instanceof ActorRef<?> ref) {
      return JsonNodeFactory.instance.textNode(ref.path().toString());
    } else if (value instanceof Class<?> type) {
      return JsonNodeFactory.instance.textNode(type.getName());
    } else if (value instanceof io.callboard.TellOptions options) {
      return record(options);
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.set(value.getClass().getSimpleName(), Json.uncheckedTree(value));
    return node;
  }

  private static @Nullable Object read(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
