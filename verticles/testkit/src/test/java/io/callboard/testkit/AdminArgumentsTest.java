package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.ParkedFilter;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method of {@link CallboardAdmin} that returns a future fails it, and throws nothing. */
class AdminArgumentsTest {
  private static final Consumer<Object> IGNORES = page -> {};

  /**
   * For each type of a parameter a value that is accepted, and one that is not, if there is one.
   */
  private static final Map<Class<?>, Object> GOOD =
      Map.ofEntries(
          Map.entry(String.class, "/a"),
          Map.entry(int.class, 1),
          Map.entry(long.class, 0L),
          Map.entry(double.class, 1.0),
          Map.entry(JsonNode.class, JsonNodeFactory.instance.objectNode()),
          Map.entry(ParkedFilter.class, ParkedFilter.ALL),
          Map.entry(FailureZone.class, new FailureZone()),
          Map.entry(SupervisionOptions.class, new SupervisionOptions()),
          Map.entry(ActorPath.class, ActorPath.of("/a")),
          Map.entry(List.class, List.of(ActorPath.of("/a"))),
          Map.entry(Optional.class, Optional.empty()));

  private static final Map<Class<?>, Object> BAD =
      Map.of(int.class, 0, long.class, -1L, double.class, 0.0);

  @RegisterExtension final Stage stage = new Stage();

  static List<Method> methods() {
    return Stream.of(CallboardAdmin.class.getMethods())
        .filter(method -> method.getReturnType() == Future.class)
        .toList();
  }

  private static Object[] good(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(type -> type == Consumer.class ? IGNORES : GOOD.get(type))
        .toArray();
  }

  private static Throwable failure(CallboardAdmin admin, Method method, Object... arguments)
      throws IllegalAccessException {
    Future<?> future;
    try {
      future = (Future<?>) method.invoke(admin, arguments);
    } catch (InvocationTargetException e) {
      throw new AssertionError(method + " throws", e.getCause());
    }
    return await(future.transform(done -> Future.succeededFuture(done.cause())));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aBadArgumentFailsTheFuture(Method method) throws IllegalAccessException {
    Map<Integer, Object> bad = new HashMap<>();
    for (int i = 0; i < method.getParameterCount(); i++) {
      Class<?> type = method.getParameterTypes()[i];
      Object[] arguments = good(method);
      arguments[i] = BAD.get(type); // null if it is no number
      bad.put(i, arguments[i]);
      assertThat(failure(stage.callboard.admin(), method, arguments))
          .as("%s with %s as argument %d", method, arguments[i], i)
          .isInstanceOf(
              arguments[i] == null ? NullPointerException.class : IllegalArgumentException.class);
    }
    assertThat(bad).hasSize(method.getParameterCount());
    if (method.getParameterCount() > 0
        && method.getParameterTypes()[0] == String.class
        && !method.getName().equals("named")) { // any text
      Object[] arguments = good(method);
      arguments[0] = "a b";
      assertThat(failure(stage.callboard.admin(), method, arguments))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not an actor path");
    }
  }

  @Test
  void afterTheCloseEachFails() throws IllegalAccessException {
    CallboardAdmin admin = stage.callboard.admin();
    await(stage.callboard.close());
    for (Method method : methods()) {
      assertThat(failure(admin, method, good(method)))
          .as(method.toString())
          .isInstanceOfSatisfying(
              CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.STOPPED));
    }
  }
}
