package io.callboard.chaos.sources;

import io.callboard.pollers.internal.file.DirectoryKind;
import io.callboard.pollers.internal.redis.RedisStreamKind;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Mistakes in the deliveries of sources. */
public final class SeededDeliveries {
  private SeededDeliveries() {}

  /** Returns kinds that acknowledge a message of each poll and do not deliver it. */
  public static List<SourceKind> lost() {
    return kinds(SeededDeliveries::withoutFirst);
  }

  /** Returns kinds that give each delivery an id of its own. */
  public static List<SourceKind> renamed() {
    return kinds(
        (source, messages) ->
            Future.succeededFuture(messages.stream().map(SeededDeliveries::renamed).toList()));
  }

  private static List<SourceKind> kinds(
      BiFunction<Source, List<SourceMessage>, Future<List<SourceMessage>>> mistake) {
    return Stream.of(new DirectoryKind(), new RedisStreamKind())
        .<SourceKind>map(kind -> new SeededKind(kind, mistake))
        .toList();
  }

  private static Future<List<SourceMessage>> withoutFirst(
      Source source, List<SourceMessage> messages) {
    return messages.size() < 2
        ? Future.succeededFuture(messages)
        : source
            .complete(List.of(messages.get(0).receipt()))
            .map(messages.subList(1, messages.size()));
  }

  private static SourceMessage renamed(SourceMessage of) {
    return new SourceMessage(
        of.id() + "-" + UUID.randomUUID(),
        of.receipt(),
        of.body(),
        of.headers(),
        of.deliveries(),
        of.sentAt());
  }
}
