package io.callboard.internal.turn;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stands in front of an object: answers some of its methods itself, and knows all calls. */
public final class Between<T> {
  private final Class<T> type;
  private final T target;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** Result of a method. */
  public interface Answer {
    Object to(Call call) throws Exception;
  }

  /** A call that has not gone on to the object yet. */
  public record Call(Callable<Object> itself, List<Object> arguments) {
    public Object goOn() throws Exception {
      return itself.call();
    }
  }

  public Between(Class<T> type, T target) {
    this.type = type;
    this.target = target;
  }

  public T front() {
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::called));
  }

  private Object called(Object proxy, Method method, Object @Nullable [] arguments)
      throws Exception {
    calls.add(method.getName());
    Callable<Object> itself =
        () -> {
          try {
            return method.invoke(target, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
          }
        };
    Answer answer = answers.get(method.getName());
    return answer == null
        ? itself.call()
        : answer.to(new Call(itself, arguments == null ? List.of() : List.of(arguments)));
  }

  public void answer(String method, Answer answer) {
    answers.put(method, answer);
  }

  /** The next {@code times} calls are answered so. */
  public void answer(String method, int times, Answer answer) {
    AtomicInteger left = new AtomicInteger(times);
    answers.put(method, call -> left.getAndDecrement() > 0 ? answer.to(call) : call.goOn());
  }

  public void answerNoMore(String method) {
    answers.remove(method);
  }

  public int calls(String method) {
    return (int) calls.stream().filter(method::equals).count();
  }
}
