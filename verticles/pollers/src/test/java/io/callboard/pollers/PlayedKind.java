package io.callboard.pollers;

import io.callboard.pollers.source.PlayedQueue;
import io.callboard.pollers.source.PlayedSource;
import io.callboard.pollers.source.Settings;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Kind of queues in memory, which nodes of one process share. */
final class PlayedKind implements SourceKind {
  static final Duration LEASE = Duration.ofSeconds(9);

  private final Time time;
  private final Map<String, PlayedQueue> queues = new ConcurrentHashMap<>();
  private final Map<String, SourceMemory> memories = new ConcurrentHashMap<>();
  private final AtomicInteger clients = new AtomicInteger();

  PlayedKind(Time time) {
    this.time = time;
  }

  PlayedQueue queue(String name) {
    return queues.computeIfAbsent(name, any -> new PlayedQueue(time));
  }

  /** Returns the memory that the last client of a source was given. */
  SourceMemory memory(String source) {
    return memories.get(source);
  }

  @Override
  public String name() {
    return "played";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.empty();
  }

  @Override
  public void check(JsonObject settings) {
    Settings its = new Settings(settings);
    String unused = its.required("queue");
    its.end();
  }

  @Override
  public Source create(SourceContext its) {
    String client = "%s-%d".formatted(its.name(), clients.incrementAndGet());
    memories.put(its.name(), its.memory());
    return new PlayedSource(its.vertx(), queue(its.settings().getString("queue")), client, LEASE);
  }
}
