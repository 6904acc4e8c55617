package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link SqsKind}, which documents them. */
record SqsSettings(
    SqsAccess access,
    String queue,
    String deadLetterQueue,
    boolean create,
    @Nullable String id,
    Duration lease) {
  private static final String FIFO = ".fifo";
  private static final Duration LONGEST = Duration.ofHours(11);

  static SqsSettings of(JsonObject json) {
    return of(json, Settings.SHORTEST_LEASE);
  }

  /** Reads the settings; tests have a shorter lease. */
  static SqsSettings of(JsonObject json, Duration shortestLease) {
    Settings settings = new Settings(json);
    String queue = settings.required("queue");
    SqsSettings read =
        new SqsSettings(
            SqsAccess.of(settings),
            queue,
            settings.text("deadLetterQueue").orElse(dead(queue)),
            settings.flag("create").orElse(false),
            settings.text("id").orElse(null),
            settings.duration("lease", shortestLease, LONGEST).orElse(Duration.ofSeconds(60)));
    settings.end();
    if (!read.lease.equals(Duration.ofSeconds(read.lease.toSeconds()))) {
      throw settings.refused("lease", "\"lease\" is in whole seconds, as PT30S");
    } else if (isFifo(read.deadLetterQueue) != isFifo(queue)) {
      throw settings.refused(
          "deadLetterQueue", "\"deadLetterQueue\" is a FIFO queue just as \"queue\" is one");
    } else if (read.deadLetterQueue.equals(queue)) {
      throw settings.refused("deadLetterQueue", "\"deadLetterQueue\" is another than \"queue\"");
    }
    return read;
  }

  private static String dead(String queue) {
    return isFifo(queue)
        ? queue.substring(0, queue.length() - FIFO.length()) + "-dead" + FIFO
        : queue + "-dead";
  }

  /** Returns whether a queue with this name or URL is a FIFO queue, which keeps the order. */
  static boolean isFifo(String queue) {
    return queue.endsWith(FIFO);
  }

  /** Returns the name of the attribute in which the id is sent. */
  String idAttribute() {
    return id == null ? "id" : id;
  }
}
