package io.callboard.jobs.internal.archiving;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Retentions of the types that have their own, read from the gate at most once a minute. If the
 * gate does not answer, what was read last is used; as long as nothing was read, nothing may be
 * deleted. Any thread.
 */
public final class TypeRetentions {
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Supplier<Future<List<JobType>>> types;
  private final Time time;
  private volatile @Nullable Known known;

  /**
   * Retentions as they were read.
   *
   * @param byType retentions by the name of the type
   * @param atNs time of that
   */
  private record Known(Map<String, TypeRetention> byType, long atNs) {}

  /**
   * Creates the reader.
   *
   * @param types reads all types
   */
  public TypeRetentions(Supplier<Future<List<JobType>>> types, Time time) {
    this.types = types;
    this.time = time;
  }

  /** Returns the retentions by the name of the type; fails if they were never read. */
  public Future<Map<String, TypeRetention>> read() {
    Known last = known;
    if (last != null && time.nanoTime() - last.atNs() < FRESH.toNanos()) {
      return Future.succeededFuture(last.byType());
    }
    return types
        .get()
        .map(
            all -> {
              Map<String, TypeRetention> byType = new HashMap<>();
              for (JobType type : all) {
                if (type.retention() != null) {
                  byType.put(type.name(), type.retention());
                }
              }
              known = new Known(Map.copyOf(byType), time.nanoTime());
              return byType;
            })
        .recover(
            cause ->
                last == null ? Future.failedFuture(cause) : Future.succeededFuture(last.byType()));
  }
}
