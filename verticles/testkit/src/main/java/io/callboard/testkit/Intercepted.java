package io.callboard.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins for objects, whose calls a test sees first: it may count them, answer them itself, or
 * change the answer.
 *
 * <pre>{@code
 * Store damaged =
 *     Intercepted.of(
 *         Store.class,
 *         store,
 *         call ->
 *             call.is("actor")
 *                 ? Future.failedFuture(StoreException.corrupt("it is no JSON"))
 *                 : call.proceed());
 * }</pre>
 */
public final class Intercepted {
  private Intercepted() {}

  /** Answer to the calls of a stand-in. */
  @FunctionalInterface
  public interface Interceptor {
    /** Returns the answer to a call, which may be that of {@link Call#proceed}. */
    @Nullable Object answer(Call call) throws Throwable;
  }

  /** Call of a stand-in. */
  public static final class Call {
    private final Object real;
    private final Method method;
    private final @Nullable Object @Nullable [] arguments;

    private Call(Object real, Method method, @Nullable Object @Nullable [] arguments) {
      this.real = real;
      this.method = method;
      this.arguments = arguments;
    }

    /** Returns the name of the method. */
    public String name() {
      return method.getName();
    }

    /** Returns whether it is a call of the method of this name. */
    public boolean is(String name) {
      return name().equals(name);
    }

    /** Returns the arguments, which may be replaced. */
    public List<@Nullable Object> arguments() {
      return arguments == null ? List.of() : Arrays.asList(arguments);
    }

    /** Returns the answer of the real object. */
    public @Nullable Object proceed() throws Throwable {
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /** Returns a stand-in for {@code real}, of which the interceptor answers each call. */
  public static <T> T of(Class<T> type, T real, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> interceptor.answer(new Call(real, method, arguments))));
  }
}
