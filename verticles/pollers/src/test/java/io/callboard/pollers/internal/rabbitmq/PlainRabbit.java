package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.callboard.servers.RabbitmqServer;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** RabbitMQ's plain client, as tests use it beside a source. Thread-safe. */
final class PlainRabbit implements AutoCloseable {
  private static final AtomicLong IDS = new AtomicLong();

  private final Connection connection;
  private final Channel channel;

  PlainRabbit(RabbitmqServer server) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(server.port());
    connection = factory.newConnection("test");
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  synchronized void declare(String queue, Map<String, Object> arguments) throws Exception {
    channel.queueDeclare(queue, true, false, false, arguments);
  }

  synchronized void declareAutoDelete(String queue, boolean durable) throws Exception {
    channel.queueDeclare(queue, durable, false, true, null);
  }

  synchronized void delete(String queue) throws Exception {
    channel.queueDelete(queue);
  }

  /** Sends bodies with ids of their own; durable on return. */
  void send(String queue, List<Buffer> bodies) throws Exception {
    for (Buffer each : bodies) {
      send(queue, new BasicProperties.Builder().messageId("id-" + IDS.incrementAndGet()), each);
    }
  }

  synchronized void send(String queue, BasicProperties.Builder properties, Buffer body)
      throws Exception {
    channel.basicPublish("", queue, true, properties.deliveryMode(2).build(), body.getBytes());
    channel.waitForConfirmsOrDie(10_000);
  }

  /** Reads all that waits in a queue, and leaves it there; nothing if there is no such queue. */
  List<GetResponse> browse(String queue) throws Exception {
    Channel channel = connection.createChannel();
    try {
      channel.queueDeclarePassive(queue);
    } catch (IOException e) {
      if (RabbitLink.why(e).contains("no queue")) {
        return List.of();
      }
      throw e;
    }
    List<GetResponse> all = new ArrayList<>();
    GetResponse next = channel.basicGet(queue, false);
    while (next != null) {
      all.add(next);
      next = channel.basicGet(queue, false);
    }
    for (GetResponse each : all) {
      channel.basicNack(each.getEnvelope().getDeliveryTag(), false, true);
    }
    channel.close();
    return all;
  }

  synchronized int waiting(String queue) throws Exception {
    return channel.queueDeclarePassive(queue).getMessageCount();
  }

  synchronized int consumers(String queue) throws Exception {
    return channel.queueDeclarePassive(queue).getConsumerCount();
  }

  static String header(GetResponse response, String name) {
    return String.valueOf(response.getProps().getHeaders().get(name));
  }

  @Override
  public void close() throws Exception {
    connection.close();
  }
}
