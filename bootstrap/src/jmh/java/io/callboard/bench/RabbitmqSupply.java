package io.callboard.bench;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Durable queue in RabbitMQ, with persistent messages. */
final class RabbitmqSupply implements Supply {
  private static final int BATCH = 100;
  private static final int PREFETCH = 5 * BATCH;
  private static final int PERSISTENT = 2;
  private static final int LIMIT_S = 60;

  private final int port;
  private final String queue;
  private final Connection connection;
  private final Channel channel;
  private int number;

  RabbitmqSupply(int port, String queue) throws Exception {
    this.port = port;
    this.queue = queue;
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    connection = factory.newConnection("bench");
    channel = connection.createChannel();
    channel.queueDeclare(queue, true, false, false, null);
    channel.confirmSelect();
  }

  @Override
  public JsonObject settings() {
    return new JsonObject()
        .put("uri", "amqp://127.0.0.1:%d/%%2f".formatted(port))
        .put("queue", queue);
  }

  @Override
  public String plain() {
    return "consumer with a prefetch of %d, one ack for each %d".formatted(PREFETCH, BATCH);
  }

  @Override
  public void put(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      BasicProperties properties =
          new BasicProperties.Builder()
              .messageId("id-" + ++number)
              .deliveryMode(PERSISTENT)
              .build();
      byte[] body = Supply.body(number).getBytes(StandardCharsets.UTF_8);
      channel.basicPublish("", queue, true, properties, body);
    }
    channel.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(LIMIT_S));
  }

  @Override
  public void take(int count) throws Exception {
    CompletableFuture<Void> all = new CompletableFuture<>();
    try (Channel taking = connection.createChannel()) {
      taking.basicQos(PREFETCH);
      var unused = taking.basicConsume(queue, false, new Loop(taking, count, all));
      all.get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  /** Consumer that acknowledges, until it has had so many. */
  private static final class Loop extends DefaultConsumer {
    private final int count;
    private final CompletableFuture<Void> all;
    private int taken;

    Loop(Channel channel, int count, CompletableFuture<Void> all) {
      super(channel);
      this.count = count;
      this.all = all;
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, BasicProperties properties, byte[] body) throws IOException {
      Supply.check(body.length);
      taken++;
      if (taken % BATCH == 0 || taken == count) {
        getChannel().basicAck(envelope.getDeliveryTag(), true);
      }
      if (taken == count) {
        var unused = all.complete(null);
      }
    }
  }

  @Override
  public long left() throws IOException {
    return channel.queueDeclarePassive(queue).getMessageCount();
  }

  @Override
  public void end() throws IOException {
    try {
      connection.close();
    } catch (AlreadyClosedException e) {
      Progress.say("RabbitMQ has ended before the queue " + queue);
    }
  }
}
