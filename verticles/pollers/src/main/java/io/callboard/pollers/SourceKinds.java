package io.callboard.pollers;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.internal.feed.FeedKind;
import io.callboard.pollers.internal.file.DirectoryKind;
import io.callboard.pollers.internal.jdbc.JdbcKind;
import io.callboard.pollers.internal.kafka.KafkaKind;
import io.callboard.pollers.internal.rabbitmq.RabbitmqKind;
import io.callboard.pollers.internal.redis.RedisListKind;
import io.callboard.pollers.internal.redis.RedisStreamKind;
import io.callboard.pollers.internal.sqs.SqsKind;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kinds of sources that a node polls; requests to {@code http} sources come by REST instead. */
final class SourceKinds {
  /** Kinds that Callboard has; their clients are loaded when a source is made. */
  static final List<SourceKind> BUILT_IN =
      List.of(
          new DirectoryKind(),
          new FeedKind(),
          new JdbcKind(),
          new RedisStreamKind(),
          new RedisListKind(),
          new RabbitmqKind(),
          new KafkaKind(),
          new SqsKind());

  private final Map<String, SourceKind> kinds = new TreeMap<>();

  /**
   * Creates the kinds.
   *
   * @param own kinds of users; one with the name of a built-in one replaces it
   */
  SourceKinds(List<SourceKind> own) {
    BUILT_IN.forEach(kind -> kinds.put(kind.name(), kind));
    own.forEach(kind -> kinds.put(kind.name(), kind));
  }

  /**
   * Returns the kind of a source, having checked that the kind's client is on the class path.
   *
   * @throws PollersException of code {@code INVALID}, naming what to add, if it is not
   */
  SourceKind of(Vertx vertx, SourceConfig config, SourceMemory memory) {
    SourceKind kind = kinds.get(config.kind());
    if (kind == null) {
      throw invalid(
          config, "there is no kind \"%s\"; there are %s".formatted(config.kind(), kinds.keySet()));
    }
    try {
      Source made = kind.create(new SourceContext(vertx, config.name(), config.settings(), memory));
      Future<Void> unused = made.close(); // it was never opened
    } catch (LinkageError e) {
      throw invalid(
          config,
          kind.artifact()
              .map(
                  artifact ->
                      "a source of kind %s needs %s on the class path: add that artifact"
                          .formatted(kind.name(), artifact))
              .orElse("kind %s cannot be loaded: %s".formatted(kind.name(), e)));
    }
    return kind;
  }

  private static PollersException invalid(SourceConfig config, String message) {
    return new PollersException(
        List.of(new FieldDefect("/%s/kind".formatted(config.name()), message, "")));
  }
}
