package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** List as a queue, by one client; how it works is in the package's description. */
final class RedisListSource extends RedisSource {
  private static final Logger log = LoggerFactory.getLogger(RedisListSource.class);

  private final ListSettings settings;
  private final String bodies;
  private final String owners;
  private final String leases;
  private final String delayed;
  private final String dead;

  RedisListSource(Vertx vertx, String name, ListSettings settings, Time time) {
    super(vertx, settings.server(), name, settings.lease(), time);
    this.settings = settings;
    this.bodies = settings.key("bodies");
    this.owners = settings.key("owners");
    this.leases = settings.key("leases");
    this.delayed = settings.key("delayed");
    this.dead = settings.key("dead");
  }

  @Override
  public Future<Void> open() {
    return link.open().compose(v -> link.run(Script.LIST_LAG, waiting(), List.of())).mapEmpty();
  }

  private List<String> waiting() {
    return List.of(settings.list(), delayed);
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    if (aside.isFull()) {
      return aside.thenDeliver(List.of());
    }
    int limit = Math.min(most, MOST_A_POLL);
    return take(limit)
        .compose(taken -> taken.isEmpty() ? await(limit) : Future.succeededFuture(taken));
  }

  private Future<List<SourceMessage>> take(int most) {
    List<String> keys =
        List.of(settings.list(), bodies, owners, leases, delayed, settings.key("last"), dead);
    List<Object> arguments =
        List.of(
            client,
            most,
            settings.lease().toMillis(),
            settings.takenEnd(),
            settings.maxBytes(),
            settings.deadLimit(),
            MOST_BYTES);
    return link.run(Script.LIST_TAKE, keys, arguments)
        .compose(
            taken -> {
              report(taken);
              List<ListElement> elements = new ArrayList<>();
              for (Response each : taken.get(3)) {
                elements.add(
                    new ListElement(
                        each.get(0).toString(), each.get(1).toInteger(), each.get(2).toBuffer()));
              }
              if (elements.isEmpty() && taken.get(2).toInteger() == 1) {
                return Future.failedFuture(new SourceException(noRoom()));
              }
              room(taken.get(2).toInteger());
              return messages(elements);
            });
  }

  private void report(Response taken) {
    if (taken.get(0).toInteger() > 0) {
      log.warn(
          "source {}: {} messages are lost: somebody has deleted them from {}",
          name(),
          taken.get(0),
          bodies);
    }
    if (taken.get(1).toInteger() > 0) {
      log.warn("source {}: {} messages over maxBytes are set aside", name(), taken.get(1));
    }
  }

  /** Waits until the list has a message, which stays where it is, and takes what is there. */
  private Future<List<SourceMessage>> await(int most) {
    Request await =
        Request.cmd(Command.BLMOVE)
            .arg(settings.list())
            .arg(settings.list())
            .arg(settings.takenEnd())
            .arg(settings.takenEnd())
            .arg(WAIT_SECONDS);
    return link.await(await)
        .compose(some -> some == null ? Future.succeededFuture(List.of()) : take(most));
  }

  /** Returns the messages of elements; sets aside those that cannot be read. */
  private Future<List<SourceMessage>> messages(List<ListElement> elements) {
    List<SourceMessage> messages = new ArrayList<>();
    for (ListElement element : elements) {
      try {
        messages.add(element.message(settings));
      } catch (Unreadable e) {
        aside.add(element.id(), element.receipt(), e.text());
      }
    }
    return aside.thenDeliver(messages);
  }

  @Override
  String noRoom() {
    return noRoom(dead, settings.deadLimit());
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    List<Object> first = List.of(client, settings.lease().toMillis());
    return extended(Script.LIST_EXTEND, List.of(owners, leases), first, receipts);
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    return each(Script.LIST_COMPLETE, List.of(bodies, owners, leases), List.of(client), receipts)
        .mapEmpty();
  }

  @Override
  Future<Void> back(Collection<String> receipts, Duration delay) {
    List<Object> first = List.of(client, delay.toMillis());
    return each(Script.LIST_BACK, List.of(owners, leases, delayed), first, receipts).mapEmpty();
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    List<Object> first = List.of(client, settings.deadLimit(), kept(cause));
    return setAside(Script.LIST_DEAD, List.of(bodies, owners, leases, dead), first, receipt);
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    Request push = Request.cmd(settings.takesLeft() ? Command.RPUSH : Command.LPUSH).arg(target);
    push.arg(settings.sendsEnvelopes() ? ListElement.envelope(message) : message.body());
    return link.call(push).mapEmpty();
  }

  @Override
  public Future<OptionalLong> lag() {
    return link.run(Script.LIST_LAG, waiting(), List.of())
        .map(lag -> lag == null ? OptionalLong.empty() : OptionalLong.of(lag.toLong()));
  }

  @Override
  Future<Void> leave() {
    return Future.succeededFuture();
  }
}
