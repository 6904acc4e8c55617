package io.callboard.jobs.rehearsal;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/** Event loop of a node: what is run on it is a task of the world. Blocking work runs at once. */
final class LoopOf {
  private LoopOf() {}

  static Vertx vertx(WorldNode node) {
    ContextInternal context = proxy(ContextInternal.class, call -> onContext(node, call));
    return proxy(VertxInternal.class, call -> onVertx(context, call));
  }

  private record Call(String name, Object[] arguments) {}

  private interface Answer {
    Object to(Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            LoopOf.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(new Call(method.getName(), arguments))));
  }

  @SuppressWarnings("unchecked")
  private static Object onContext(WorldNode node, Call call) {
    if (call.name().equals("runOnContext")) {
      Handler<Void> task = (Handler<Void>) call.arguments()[0];
      node.schedule(0, () -> task.handle(null));
      return null;
    }
    throw new UnsupportedOperationException("context." + call.name());
  }

  @SuppressWarnings("unchecked")
  private static Object onVertx(ContextInternal context, Call call) {
    return switch (call.name()) {
      case "createEventLoopContext", "getOrCreateContext" -> context;
      case "executeBlocking" -> blocking((Callable<Object>) call.arguments()[0]);
      default -> throw new UnsupportedOperationException("vertx." + call.name());
    };
  }

  private static Future<Object> blocking(Callable<Object> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }
}
