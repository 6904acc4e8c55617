package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.Source;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Calls a source on one context, as pollers do, from the thread of a test. */
public final class OnContext {
  private OnContext() {}

  /** Returns a source that may be called from any thread. */
  public static Source of(Vertx vertx, Source source) {
    Context context = vertx.getOrCreateContext();
    return (Source)
        Proxy.newProxyInstance(
            Source.class.getClassLoader(),
            new Class<?>[] {Source.class},
            (proxy, method, arguments) -> {
              if (method.getReturnType() != Future.class) {
                return method.invoke(source, arguments);
              }
              Promise<Object> result = Promise.promise();
              context.runOnContext(
                  v -> {
                    try {
                      @SuppressWarnings("unchecked")
                      Future<Object> called = (Future<Object>) method.invoke(source, arguments);
                      called.onComplete(result);
                    } catch (InvocationTargetException e) {
                      result.fail(new AssertionError("a source does not throw", e.getCause()));
                    } catch (ReflectiveOperationException e) {
                      result.fail(e);
                    }
                  });
              return result.future();
            });
  }
}
