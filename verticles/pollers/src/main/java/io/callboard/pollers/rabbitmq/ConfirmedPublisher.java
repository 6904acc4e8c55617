package io.callboard.pollers.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to queues, one message after another, each until the server has confirmed that it is in
 * its queue. Blocks; used by one thread.
 */
final class ConfirmedPublisher {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final RabbitLink link;
  private final Set<String> declared = new HashSet<>();
  private @Nullable Channel channel;
  private volatile @Nullable String returned;

  ConfirmedPublisher(RabbitLink link) {
    this.link = link;
  }

  /** A channel that a refusal has closed is replaced. */
  private Channel channel() throws IOException {
    Channel known = channel;
    if (known != null && known.isOpen()) {
      return known;
    }
    Channel made = link.newChannel();
    var unused = made.confirmSelect();
    made.addReturnListener(message -> returned = message.getReplyText());
    channel = made;
    return made;
  }

  /** Makes a durable queue, once. */
  void declare(String queue, Map<String, Object> arguments) throws IOException {
    if (!declared.contains(queue)) {
      var unused = channel().queueDeclare(queue, true, false, false, arguments);
      declared.add(queue);
    }
  }

  /** Publishes a message; returns when it is in its queue. */
  void publish(String queue, BasicProperties properties, byte[] body)
      throws IOException, InterruptedException, TimeoutException {
    Channel open = channel();
    returned = null;
    boolean confirmed;
    try {
      open.basicPublish("", queue, true, properties, body);
      // a message that is in no queue is returned first, then confirmed
      confirmed = open.waitForConfirms(ANSWER.toMillis());
    } catch (RuntimeException | IOException | InterruptedException | TimeoutException e) {
      channel = null; // a late answer to this message would be taken for one to the next
      open.abort();
      throw e;
    }
    String why = returned;
    if (why != null) {
      declared.remove(queue);
      throw new IOException("queue \"%s\" has not got it: %s".formatted(queue, why));
    } else if (!confirmed) {
      throw new IOException("queue \"%s\" has refused it".formatted(queue));
    }
  }
}
