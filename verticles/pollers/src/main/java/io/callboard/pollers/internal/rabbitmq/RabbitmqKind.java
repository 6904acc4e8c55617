package io.callboard.pollers.internal.rabbitmq;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Kind {@code rabbitmq}: messages of a queue of RabbitMQ (AMQP 0-9-1).
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>Name</th><th>Meaning</th></tr>
 * <tr><td>{@code uri}</td><td>server and virtual host, as {@code amqp://rabbit:5672/%2f}, or {@code
 * amqps://…} for TLS with the certificates that Java trusts; without user and password</td></tr>
 * <tr><td>{@code user}, {@code password}</td><td>by default {@code guest}; it needs to configure,
 * write and read {@code <queue>} and {@code <queue>.callboard.*}, and to write the default
 * exchange</td></tr>
 * <tr><td>{@code queue}</td><td>the queue; it must be there, and not delete itself with its last
 * consumer</td></tr>
 * <tr><td>{@code id}</td><td>what tells messages apart, because the server does not: {@code
 * message-id} (default), the property that publishers set; {@code header:<name>}, one of their
 * headers; or {@code body}, so that equal bodies are the same message. A message without it is set
 * aside</td></tr>
 * <tr><td>{@code queues}</td><td>type of the queues that the source makes: {@code quorum}
 * (default, from RabbitMQ 3.10 on), or {@code classic}, from which a message is lost if the server
 * dies while it puts it back. Delete those that are there to change it</td></tr>
 * <tr><td>{@code maxSize}</td><td>largest body in bytes, up to 64 MiB, default 1 MiB; a larger one
 * is set aside</td></tr>
 * </table>
 *
 * <p>The source makes {@code <queue>.callboard.retry.<ms>}, through which what failed comes back
 * after its delay, of one day at most, and {@code <queue>.callboard.dead} for what is set aside.
 * Their messages have the headers {@code callboard-attempts} and {@code callboard-cause}.
 *
 * <p>A server closes a channel that has not acknowledged a message for 30 minutes ({@code
 * consumer_timeout}); then all that is taken comes again. For longer work acknowledge on accept, or
 * raise it.
 */
public final class RabbitmqKind implements SourceKind {
  private final Time time;

  /** Creates the kind. */
  public RabbitmqKind() {
    this(Time.SYSTEM);
  }

  RabbitmqKind(Time time) {
    this.time = time;
  }

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("com.rabbitmq:amqp-client");
  }

  @Override
  public void check(JsonObject settings) {
    var unused = RabbitmqSettings.of(settings);
  }

  @Override
  public Source create(SourceContext its) {
    return new RabbitmqSource(its.vertx(), its.name(), RabbitmqSettings.of(its.settings()), time);
  }

  /** Returns the time limit of a call: a connection may need two answers, of 5 s each. */
  @Override
  public Duration patience() {
    return Duration.ofSeconds(15);
  }
}
