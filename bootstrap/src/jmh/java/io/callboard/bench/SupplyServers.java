package io.callboard.bench;

import io.callboard.servers.KafkaServer;
import io.callboard.servers.RabbitmqServer;
import io.callboard.servers.RedisServer;
import io.callboard.testkit.PostgresServer;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Servers of all kinds of sources that are installed, and the queues in them. */
final class SupplyServers implements AutoCloseable {
  /** Name of the table that a source makes. */
  private static final String TABLE = "callboard_outbox";

  private final Stage stage;
  private final Predicate<String> kinds;
  private final Vertx vertx = Vertx.vertx();
  private final Parts parts = new Parts();
  private final List<String> missing = new ArrayList<>();
  private final CompletableFuture<@Nullable PostgresServer> postgres;
  private final CompletableFuture<@Nullable RedisServer> redis;
  private final CompletableFuture<@Nullable RabbitmqServer> rabbitmq;
  private final CompletableFuture<@Nullable KafkaServer> kafka;
  private final CompletableFuture<@Nullable Child> sqs;
  private @Nullable RedisClient client;

  /** Queue of a source, and another one of the same kind, which a plain client empties. */
  record Pair(Supply ours, Supply plain) {}

  /** Starts all that are installed. */
  SupplyServers(Stage stage) {
    this(stage, kind -> true);
  }

  /** Starts those of some kinds. */
  SupplyServers(Stage stage, Predicate<String> kinds) {
    this.stage = stage;
    this.kinds = kinds;
    postgres =
        started(
            PostgresServer.isInstalled(),
            "PostgreSQL",
            List.of("jdbc"),
            () -> PostgresServer.start(true));
    redis =
        started(
            RedisServer.isInstalled(),
            "redis-server",
            List.of("redis-stream", "redis-list"),
            () -> RedisServer.start(stage.directory("redis")));
    rabbitmq =
        started(
            RabbitmqServer.isInstalled(),
            "RabbitMQ",
            List.of("rabbitmq"),
            () -> RabbitmqServer.start(stage.directory("rabbitmq")));
    kafka =
        started(true, "Kafka", List.of("kafka"), () -> KafkaServer.start(stage.directory("kafka")));
    sqs =
        started(
            true,
            "ElasticMQ",
            List.of("sqs"),
            () -> Child.start(SqsSupply.Server.class, List.of("-Xmx512m")));
    List.of(postgres, redis, rabbitmq, kafka, sqs).forEach(this::end);
    parts.add(() -> Node.await(vertx.close()));
  }

  private <T> CompletableFuture<@Nullable T> started(
      boolean isInstalled, String program, List<String> its, Callable<T> start) {
    List<String> wanted = its.stream().filter(kinds).toList();
    if (isInstalled && !wanted.isEmpty()) {
      return started(start);
    }
    if (!wanted.isEmpty()) {
      missing.add(
          "%s is not installed here: NO FIGURES of %s"
              .formatted(program, String.join(" and ", wanted)));
    }
    return CompletableFuture.completedFuture(null);
  }

  private static <T extends @Nullable Object> CompletableFuture<T> started(Callable<T> start) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return start.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        command -> new Thread(command, "start").start());
  }

  /** Returns which servers are missing, with what is not measured for that. */
  List<String> missing() {
    return missing;
  }

  private @Nullable RedisClient client() {
    RedisServer server = redis.join();
    if (client == null && server != null) {
      client = new RedisClient(vertx, server.port());
    }
    return client;
  }

  private <S extends Supply> S own(S supply) {
    parts.add(supply);
    return supply;
  }

  /** Returns the queues by the kind of source. */
  Map<String, Pair> pairs() throws Exception {
    Map<String, Pair> pairs = new LinkedHashMap<>();
    pairs.put(
        "directory",
        new Pair(
            new DirectorySupply(stage.directory("ours")),
            new DirectorySupply(stage.directory("plain"))));
    PostgresServer database = postgres.join();
    if (database != null) {
      String url = database.schema("outbox");
      pairs.put(
          "jdbc",
          new Pair(
              own(new JdbcSupply(url, TABLE, TABLE)),
              own(new JdbcSupply(url, "plain_outbox", TABLE))));
    }
    RedisClient plain = client();
    if (plain != null) {
      pairs.put(
          "redis-stream",
          new Pair(
              new RedisStreamSupply(plain, "stream"),
              new RedisStreamSupply(plain, "plain-stream")));
      pairs.put(
          "redis-list",
          new Pair(new RedisListSupply(plain, "list"), new RedisListSupply(plain, "plain-list")));
    }
    Child elastic = sqs.join();
    if (elastic != null) {
      int port = Integer.parseInt(elastic.expect("ready"));
      pairs.put(
          "sqs",
          new Pair(
              own(new SqsSupply(vertx, port, "queue")),
              own(new SqsSupply(vertx, port, "plain-queue"))));
    }
    KafkaServer broker = kafka.join();
    if (broker != null) {
      String at = broker.address();
      pairs.put(
          "kafka",
          new Pair(own(new KafkaSupply(at, "topic")), own(new KafkaSupply(at, "plain-topic"))));
    }
    RabbitmqServer rabbit = rabbitmq.join();
    if (rabbit != null) {
      pairs.put(
          "rabbitmq",
          new Pair(
              own(new RabbitmqSupply(rabbit.port(), "queue")),
              own(new RabbitmqSupply(rabbit.port(), "plain-queue"))));
    }
    pairs.put(FeedSupply.KIND, new Pair(own(new FeedSupply(vertx)), own(new FeedSupply(vertx))));
    pairs.keySet().removeIf(kind -> !kinds.test(kind));
    return pairs;
  }

  /** Returns a queue for messages that are told; null without Redis. */
  @Nullable Supply told() {
    RedisClient plain = client();
    return plain == null ? null : new RedisStreamSupply(plain, "told");
  }

  private void end(CompletableFuture<? extends @Nullable AutoCloseable> server) {
    parts.add(
        () -> {
          AutoCloseable started = server.join();
          if (started != null) {
            started.close();
          }
        });
  }

  @Override
  public void close() {
    parts.close();
  }
}
