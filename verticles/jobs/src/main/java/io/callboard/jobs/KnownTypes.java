package io.callboard.jobs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Names of the types that exist, as far as this node knows; types are never removed. A type that is
 * not known is asked for once, however many submissions wait for the answer: a flood of the first
 * jobs of a type would be as many questions to the gate otherwise. Any thread.
 */
final class KnownTypes {
  private final VertxInternal vertx;
  private final Function<String, Future<?>> question;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Map<String, Future<Void>> asked = new ConcurrentHashMap<>();

  /**
   * Creates the set of no types.
   *
   * @param question asks for a type by its name; fails if there is none
   */
  KnownTypes(Vertx vertx, Function<String, Future<?>> question) {
    this.vertx = (VertxInternal) vertx;
    this.question = question;
  }

  /** Completes, on the context of the caller, if there is such a type, or fails as the question. */
  Future<Void> check(String name) {
    if (known.contains(name)) {
      return Future.succeededFuture();
    }
    Promise<Void> here = vertx.getOrCreateContext().promise();
    answer(name).onComplete(here);
    return here.future();
  }

  private Future<Void> answer(String name) {
    Promise<Void> answer = Promise.promise();
    Future<Void> before = asked.putIfAbsent(name, answer.future());
    if (before != null) {
      return before;
    }
    Future.succeededFuture(name)
        .compose(type -> question.apply(type).<Void>mapEmpty()) // one that throws has failed
        .onSuccess(type -> known.add(name))
        .onComplete(
            done -> {
              asked.remove(name);
              answer.handle(done);
            });
    return answer.future();
  }
}
