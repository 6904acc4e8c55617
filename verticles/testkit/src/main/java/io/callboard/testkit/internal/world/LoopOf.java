package io.callboard.testkit.internal.world;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Event loop and worker threads of a node: what is run on the loop is a task of the world. Blocking
 * work runs at once.
 */
final class LoopOf {
  private LoopOf() {}

  static Vertx vertx(WorldNode node) {
    ContextInternal context = proxy(ContextInternal.class, (self, call) -> onContext(node, call));
    return proxy(VertxInternal.class, (self, call) -> onVertx(context, call));
  }

  private record Call(String name, Object[] arguments) {}

  private interface Answer {
    @Nullable Object to(Object self, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            LoopOf.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(self, new Call(method.getName(), arguments))));
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object onContext(WorldNode node, Call call) {
    if (call.name().equals("runOnContext")) {
      Handler<Void> task = (Handler<Void>) call.arguments()[0];
      var unused = node.schedule(0, () -> task.handle(null));
      return null;
    }
    throw new UnsupportedOperationException("context." + call.name());
  }

  @SuppressWarnings("unchecked")
  private static Object onVertx(ContextInternal context, Call call) {
    return switch (call.name()) {
      case "createEventLoopContext", "getOrCreateContext" -> context;
      case "httpClientBuilder" -> clients();
      case "createWorkerContext" -> proxy(ContextInternal.class, LoopOf::onWorker);
      case "executeBlocking" -> blocking((Callable<Object>) call.arguments()[0]);
      default -> throw new UnsupportedOperationException("vertx." + call.name());
    };
  }

  private static Object onWorker(Object self, Call call) {
    if (call.name().equals("promise")) {
      return Promise.promise();
    }
    throw new UnsupportedOperationException("worker context." + call.name());
  }

  /** Clients that can only be made and closed. */
  private static HttpClientBuilder clients() {
    return proxy(
        HttpClientBuilder.class,
        (self, call) ->
            call.name().equals("build") ? proxy(HttpClientAgent.class, LoopOf::onClient) : self);
  }

  private static Object onClient(Object self, Call call) {
    if (call.name().equals("close")) {
      return Future.succeededFuture();
    }
    throw new UnsupportedOperationException("client." + call.name());
  }

  private static Future<Object> blocking(Callable<Object> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }
}
