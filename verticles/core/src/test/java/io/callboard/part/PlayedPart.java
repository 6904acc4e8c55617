package io.callboard.part;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** Part of a test that notes what happens to it. */
record PlayedPart<T>(
    String name,
    Class<T> type,
    List<PartNeed> needs,
    Supplier<Future<T>> starting,
    List<String> did)
    implements NodePart<T> {
  static <T> PlayedPart<T> of(String name, Class<T> type, T made, List<String> did) {
    return new PlayedPart<>(name, type, List.of(), () -> Future.succeededFuture(made), did);
  }

  PlayedPart<T> needing(PartNeed... its) {
    return new PlayedPart<>(name, type, List.of(its), starting, did);
  }

  @Override
  public Future<T> start(RunningNode node) {
    did.add("start " + name);
    return starting.get();
  }

  @Override
  public Future<?> close(T started, RunningNode node) {
    did.add("close " + name);
    return Future.succeededFuture();
  }
}
