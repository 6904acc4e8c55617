package io.callboard.pollers.internal.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.pollers.internal.protocol.MemoryCommand;
import io.callboard.pollers.internal.protocol.MemoryState;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Memory of a source, kept by a durable actor on any node. */
final class ActorMemory implements SourceMemory {
  private static final Duration ASK = Duration.ofSeconds(8);

  /** Keys of one message, so that neither it nor its event is large. */
  private static final int BATCH = 500;

  private static final Pattern KEY = Pattern.compile("[!-~]{1,%d}".formatted(LONGEST_KEY));

  private final Callboard callboard;
  private final String source;
  private final ActorRef<MemoryCommand> actor;

  ActorMemory(Callboard callboard, String source) {
    this.callboard = callboard;
    this.source = source;
    this.actor = callboard.durableRef(SourceMemoryActor.path(source), MemoryCommand.class);
  }

  @Override
  public Future<Map<String, Long>> read() {
    return ask(new MemoryCommand.Recall(), MemoryState.class).map(MemoryState::keys);
  }

  /** Brings the answer to the context of the caller. */
  private <T> Future<T> ask(MemoryCommand command, Class<T> answer) {
    Promise<T> here = BackgroundTasks.callersPromise(callboard.vertx());
    actor
        .ask(command, answer, ASK)
        .recover(
            cause ->
                Future.failedFuture(
                    new SourceException(
                        "the memory of source %s did not answer: %s"
                            .formatted(source, cause.getMessage()),
                        cause)))
        .onComplete(here);
    return here.future();
  }

  @Override
  public Future<Void> write(Map<String, Long> puts, Collection<String> removed) {
    for (String key : puts.keySet()) {
      if (!KEY.matcher(key).matches()) {
        return Future.failedFuture(
            new SourceException(
                "a key has 1 to %d characters of ASCII, not \"%.100s\""
                    .formatted(LONGEST_KEY, key)));
      }
    }
    Future<Void> written = Future.succeededFuture();
    for (MemoryCommand.Remember each : batches(puts, removed)) {
      written = written.compose(v -> write(each));
    }
    return written;
  }

  /** Returns the changes in batches, removals first, to make room. */
  private static List<MemoryCommand.Remember> batches(
      Map<String, Long> puts, Collection<String> removed) {
    List<MemoryCommand.Remember> batches = new ArrayList<>();
    List<String> gone = List.copyOf(removed);
    for (int i = 0; i < gone.size(); i += BATCH) {
      List<String> batch = gone.subList(i, Math.min(gone.size(), i + BATCH));
      batches.add(new MemoryCommand.Remember(Map.of(), batch));
    }
    Map<String, Long> batch = new HashMap<>();
    for (Map.Entry<String, Long> each : puts.entrySet()) {
      batch.put(each.getKey(), each.getValue());
      if (batch.size() == BATCH) {
        batches.add(new MemoryCommand.Remember(batch, List.of()));
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      batches.add(new MemoryCommand.Remember(batch, List.of()));
    }
    return batches;
  }

  private Future<Void> write(MemoryCommand.Remember batch) {
    return ask(batch, MemoryCommand.Remembered.class)
        .compose(
            answer ->
                answer.isFull()
                    ? Future.failedFuture(
                        new SourceException(
                            "the memory of source %s has %,d keys of %,d"
                                .formatted(source, answer.keys(), MOST_KEYS)))
                    : Future.succeededFuture());
  }
}
