package io.callboard.jobs;

import io.callboard.jobs.model.JobType;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Runners of the types that exist, as far as this node knows; types are never removed, and keep
 * their runners. A type that is not known is asked for once, however many submissions wait for the
 * answer: a flood of the first jobs of a type would be as many questions to the gate otherwise. Any
 * thread.
 */
final class KnownTypes {
  private final Vertx vertx;
  private final Function<String, Future<JobType>> question;
  private final Map<String, Optional<String>> known = new ConcurrentHashMap<>();
  private final Map<String, Future<Optional<String>>> asked = new ConcurrentHashMap<>();

  /**
   * Creates an empty set of types.
   *
   * @param question asks for a type by its name; fails if there is none
   */
  KnownTypes(Vertx vertx, Function<String, Future<JobType>> question) {
    this.vertx = vertx;
    this.question = question;
  }

  /**
   * Completes, on the context of the caller, with the handler of a type, empty for processes; fails
   * as the question if there is no such type.
   */
  Future<Optional<String>> handler(String name) {
    Optional<String> its = known.get(name);
    if (its != null) {
      return Future.succeededFuture(its);
    }
    Promise<Optional<String>> here = BackgroundTasks.callersPromise(vertx);
    answer(name).onComplete(here);
    return here.future();
  }

  private Future<Optional<String>> answer(String name) {
    Promise<Optional<String>> answer = Promise.promise();
    Future<Optional<String>> before = asked.putIfAbsent(name, answer.future());
    if (before != null) {
      return before;
    }
    Future.succeededFuture(name)
        .compose(question) // one that throws has failed
        .map(type -> Optional.ofNullable(type.handler()))
        .onSuccess(handler -> known.put(name, handler))
        .onComplete(
            done -> {
              asked.remove(name);
              answer.handle(done);
            });
    return answer.future();
  }
}
