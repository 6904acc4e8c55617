package io.callboard.bench;

import io.callboard.testkit.PostgresServer;
import io.callboard.testkit.servers.KafkaServer;
import io.callboard.testkit.servers.RabbitmqServer;
import io.callboard.testkit.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Servers of all kinds of sources that are installed, and the queues in them. */
final class SupplyServers implements AutoCloseable {
  /** Name of the table that a source makes. */
  private static final String TABLE = "callboard_outbox";

  private final Stage stage;
  private final Vertx vertx = Vertx.vertx();
  private final Parts parts = new Parts();
  private final List<String> missing = new ArrayList<>();
  private final CompletableFuture<@Nullable PostgresServer> postgres;
  private final CompletableFuture<@Nullable RedisServer> redis;
  private final CompletableFuture<@Nullable RabbitmqServer> rabbitmq;
  private final CompletableFuture<KafkaServer> kafka;
  private final CompletableFuture<Child> sqs;
  private @Nullable RedisClient client;

  /** Queue of a source, and another one of the same kind, which a plain client empties. */
  record Pair(Supply ours, Supply plain) {}

  SupplyServers(Stage stage) {
    this.stage = stage;
    postgres =
        started(
            PostgresServer.isInstalled(), "PostgreSQL", "jdbc", () -> PostgresServer.start(true));
    redis =
        started(
            RedisServer.isInstalled(),
            "redis-server",
            "redis-stream and redis-list",
            () -> RedisServer.start(stage.directory("redis")));
    rabbitmq =
        started(
            RabbitmqServer.isInstalled(),
            "RabbitMQ",
            "rabbitmq",
            () -> RabbitmqServer.start(stage.directory("rabbitmq")));
    kafka = started(() -> KafkaServer.start(stage.directory("kafka")));
    sqs = started(() -> Child.start(SqsSupply.Server.class, List.of("-Xmx512m")));
    List.of(postgres, redis, rabbitmq, kafka, sqs).forEach(this::end);
    parts.add(() -> Node.await(vertx.close()));
  }

  private <T> CompletableFuture<@Nullable T> started(
      boolean isInstalled, String program, String kinds, Callable<T> start) {
    if (!isInstalled) {
      missing.add("%s is not installed here: NO FIGURES of %s".formatted(program, kinds));
      return CompletableFuture.completedFuture(null);
    }
    return started(start);
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

  /** Returns the port of Redis; null if it is not installed. */
  @Nullable Integer redisPort() {
    RedisServer server = redis.join();
    return server == null ? null : server.port();
  }

  private @Nullable RedisClient client() {
    Integer port = redisPort();
    if (client == null && port != null) {
      client = new RedisClient(vertx, port);
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
    int sqsPort = Integer.parseInt(sqs.join().expect("ready"));
    pairs.put(
        "sqs",
        new Pair(
            own(new SqsSupply(vertx, sqsPort, "queue")),
            own(new SqsSupply(vertx, sqsPort, "plain-queue"))));
    String broker = kafka.join().address();
    pairs.put(
        "kafka",
        new Pair(
            own(new KafkaSupply(broker, "topic")), own(new KafkaSupply(broker, "plain-topic"))));
    RabbitmqServer rabbit = rabbitmq.join();
    if (rabbit != null) {
      pairs.put(
          "rabbitmq",
          new Pair(
              own(new RabbitmqSupply(rabbit.port(), "queue")),
              own(new RabbitmqSupply(rabbit.port(), "plain-queue"))));
    }
    pairs.put("feed", new Pair(own(new FeedSupply(vertx)), own(new FeedSupply(vertx))));
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
