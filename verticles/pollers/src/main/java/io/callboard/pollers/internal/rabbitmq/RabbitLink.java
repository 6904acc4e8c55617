package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Connection to a server, and the channel that takes messages. Blocks. */
final class RabbitLink implements AutoCloseable {
  /** The largest message of a server that was not told otherwise. */
  private static final int LARGEST = 128 * 1024 * 1024;

  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final int HEARTBEAT_SECONDS = 5;

  private final ExecutorService callbacks;
  private final Connection connection;
  private final Channel channel;

  private RabbitLink(ExecutorService callbacks, Connection connection, Channel channel) {
    this.callbacks = callbacks;
    this.connection = connection;
    this.channel = channel;
  }

  /** Connects, and checks that the queue can be polled. */
  static RabbitLink open(String name, RabbitmqSettings settings)
      throws IOException, TimeoutException, NoSuchAlgorithmException {
    ExecutorService callbacks =
        Executors.newSingleThreadExecutor(task -> daemon(task, "callboard-rabbitmq-" + name));
    Connection connection = null;
    try {
      connection = factory(settings).newConnection(callbacks, "callboard " + name);
      Channel channel = connection.createChannel();
      var unused = channel.queueDeclarePassive(settings.queue());
      new QueueCheck(connection, settings).run();
      return new RabbitLink(callbacks, connection, channel);
    } catch (IOException | TimeoutException | RuntimeException | NoSuchAlgorithmException e) {
      if (connection != null) {
        connection.abort((int) ANSWER.toMillis());
      }
      callbacks.shutdown();
      throw e;
    }
  }

  private static ConnectionFactory factory(RabbitmqSettings settings)
      throws NoSuchAlgorithmException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(settings.uri().getHost());
    factory.setPort(settings.port());
    factory.setVirtualHost(settings.virtualHost());
    factory.setUsername(settings.user());
    factory.setPassword(settings.password());
    if (settings.isTls()) {
      factory.useSslProtocol(SSLContext.getDefault());
      factory.enableHostnameVerification();
    }
    // receipts are of one channel, so a new connection is a new source
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout((int) ANSWER.toMillis());
    factory.setHandshakeTimeout((int) ANSWER.toMillis());
    factory.setChannelRpcTimeout((int) ANSWER.toMillis());
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setMaxInboundMessageBodySize(LARGEST);
    factory.setThreadFactory(task -> daemon(task, "callboard-rabbitmq-io"));
    return factory;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the message of the server, which is in the cause of a failure. */
  static String why(Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof ShutdownSignalException signal) {
        return String.valueOf(signal.getMessage());
      }
    }
    return thrown.toString();
  }

  Channel channel() {
    return channel;
  }

  Channel newChannel() throws IOException {
    Channel made = connection.createChannel();
    if (made == null) {
      throw new IOException("the server permits no further channel");
    }
    return made;
  }

  /** Returns why nothing can be taken any more; null if it can. */
  @Nullable String lost() {
    ShutdownSignalException reason = channel.getCloseReason();
    return reason == null ? null : String.valueOf(reason.getMessage());
  }

  @Override
  public void close() {
    connection.abort((int) ANSWER.toMillis());
    callbacks.shutdown();
  }
}
