package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.callboard.pollers.source.SourceException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a queue can be polled: it is not a stream, and its server does not delete it with its
 * last consumer, as each poll is one. A server says what a queue is only when it is declared
 * otherwise, and then names one difference; so it is declared again with that one, until its type
 * is known. Blocks.
 */
final class QueueCheck {
  private static final String TYPE = "x-queue-type";

  /** Differences after which it is given up; a queue has fewer arguments. */
  private static final int MOST_TRIES = 30;

  /** Error of a server about an argument: the queue's own value and its type. */
  private static final Pattern ARGUMENT =
      Pattern.compile(
          "inequivalent arg '(x-[^']+)'.* current is (?:the value )?'([^']*)'(?: of type '([^']*)')?",
          Pattern.DOTALL);

  private final Connection connection;
  private final RabbitmqSettings settings;
  private final Map<String, Object> arguments = new HashMap<>(Map.of(TYPE, "classic"));
  private boolean durable = true;

  QueueCheck(Connection connection, RabbitmqSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /** Refuses a queue that cannot be polled; one that may not be declared by us is not refused. */
  void run() throws IOException, TimeoutException {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Channel trial = connection.createChannel();
      try {
        var unused = trial.queueDeclare(settings.queue(), durable, false, false, arguments);
        trial.close();
        return;
      } catch (IOException e) {
        if (!differs(RabbitLink.why(e), e)) {
          return;
        }
      }
    }
  }

  /** Records how the queue differs from what was declared; returns whether more is to be asked. */
  private boolean differs(String why, IOException failure) {
    if (why.contains("'auto_delete'")) {
      throw new SourceException(
          settings
              + " is deleted with its last consumer, and a source is none between two polls;"
              + " declare it without auto-delete",
          failure);
    } else if (why.contains("'durable'") && durable) {
      durable = false;
      return true;
    }
    Matcher argument = ARGUMENT.matcher(why);
    if (!argument.find()) {
      return false; // it is a classic queue, or may not be declared by us
    }
    String name = argument.group(1);
    String value = argument.group(2);
    if (name.equals(TYPE) && value.equals("stream")) {
      throw new SourceException(
          settings
              + " is a stream, which keeps no account of what a source has taken; give a queue of"
              + " type quorum or classic, bound to the exchange of the messages",
          failure);
    }
    Object old = arguments.put(name, typed(value, argument.group(3)));
    return !name.equals(TYPE) && old == null; // the type was named, or it does not help
  }

  private static Object typed(String value, @Nullable String type) {
    if ("bool".equals(type)) {
      return Boolean.valueOf(value);
    } else if (type != null && !type.equals("longstr") && value.matches("-?[0-9]{1,18}")) {
      return Long.valueOf(value);
    }
    return value;
  }
}
