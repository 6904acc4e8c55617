package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmissionRefusedException;
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
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumer group of a stream, by one consumer; how it works is in the package's description. */
final class RedisStreamSource extends RedisSource {
  private static final Logger log = LoggerFactory.getLogger(RedisStreamSource.class);

  /** Client of those that failed and wait for their time. */
  private static final String PARKED = PREFIX + "delayed";

  private static final Duration SWEPT_AFTER = Duration.ofHours(1);
  private static final int LEAVE_SECONDS = 1;
  private static final int LOOKS_A_LEASE = 4;
  private static final String FROM_FIRST = "-";

  private final Vertx vertx;
  private final StreamSettings settings;
  private final List<String> stream;
  private final List<String> streamAndDelayed;
  private final List<String> taking;
  private @Nullable Long timer;
  private boolean isOpen;
  private String lookFrom = FROM_FIRST;

  RedisStreamSource(Vertx vertx, String name, StreamSettings settings, Time time) {
    super(vertx, settings.server(), name, settings.lease(), time);
    this.vertx = vertx;
    this.settings = settings;
    this.stream = List.of(settings.stream());
    this.streamAndDelayed = List.of(settings.stream(), settings.delayed());
    this.taking = List.of(settings.stream(), settings.delayed(), settings.dead());
  }

  @Override
  public Future<Void> open() {
    return link.open().compose(v -> makeGroup()).compose(v -> sweep("")).compose(v -> opened());
  }

  private Future<Void> makeGroup() {
    Request create =
        Request.cmd(Command.XGROUP)
            .arg("CREATE")
            .arg(settings.stream())
            .arg(settings.group())
            .arg(settings.fromNew() ? "$" : "0")
            .arg("MKSTREAM");
    return link.call(create)
        .<Void>mapEmpty()
        .recover(
            failure ->
                String.valueOf(failure.getMessage()).contains("BUSYGROUP")
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private Future<Void> opened() {
    if (isClosing()) {
      return Future.failedFuture(new SourceException(link + ": the source was closed"));
    }
    isOpen = true;
    long period = Math.max(1, settings.lease().toMillis() / LOOKS_A_LEASE);
    timer =
        vertx.setPeriodic(
            period,
            t -> {
              if (lookFrom.isEmpty()) {
                lookFrom = FROM_FIRST;
              }
            });
    return Future.succeededFuture();
  }

  /** Removes clients that have nothing and are not there, and {@code leaving} if it has nothing. */
  private Future<Void> sweep(String leaving) {
    List<Object> arguments = List.of(settings.group(), PREFIX, SWEPT_AFTER.toMillis(), leaving);
    return link.run(Script.STREAM_SWEEP, stream, arguments).mapEmpty();
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    if (aside.isFull()) {
      return aside.thenDeliver(List.of());
    }
    int limit = Math.min(most, MOST_A_POLL);
    List<Object> arguments =
        List.of(
            settings.group(),
            client,
            limit,
            settings.lease().toMillis(),
            lookFrom,
            PARKED,
            settings.maxBytes(),
            MOST_BYTES,
            settings.delete() ? 1 : 0,
            settings.deadLimit());
    return link.run(Script.STREAM_TAKE, taking, arguments)
        .compose(
            taken -> {
              lookFrom = taken.get(0).toString();
              trimmed(taken.get(1).toLong());
              int large = taken.get(2).toInteger();
              if (large > 0) {
                log.warn("source {}: {} entries over maxBytes are set aside", name(), large);
              }
              List<StreamEntry> entries = new ArrayList<>();
              for (Response each : taken.get(4)) {
                entries.add(
                    new StreamEntry(each.get(0).toString(), each.get(1).toInteger(), each.get(2)));
              }
              room(taken.get(3).toInteger());
              return entries.isEmpty() && large == 0 ? await() : Future.succeededFuture(entries);
            })
        .compose(this::messages);
  }

  /** Waits for one entry, of whatever size; those behind it come with the next poll. */
  private Future<List<StreamEntry>> await() {
    Request read =
        Request.cmd(Command.XREADGROUP)
            .arg("GROUP")
            .arg(settings.group())
            .arg(client)
            .arg("COUNT")
            .arg(1)
            .arg("BLOCK")
            .arg(TimeUnit.SECONDS.toMillis(WAIT_SECONDS))
            .arg("STREAMS")
            .arg(settings.stream())
            .arg(">");
    return link.await(read)
        .map(
            streams -> {
              List<StreamEntry> entries = new ArrayList<>();
              if (streams != null) {
                for (Response each : streams.get(0).get(1)) {
                  entries.add(new StreamEntry(each.get(0).toString(), 1, each.get(1)));
                }
              }
              return entries;
            });
  }

  /** Returns the messages of entries; sets aside those that cannot be read. */
  private Future<List<SourceMessage>> messages(List<StreamEntry> entries) {
    List<SourceMessage> messages = new ArrayList<>();
    for (StreamEntry entry : entries) {
      try {
        messages.add(entry.message(settings));
      } catch (Unreadable e) {
        aside.add(entry.id(), entry.receipt(), e.text());
      }
    }
    return aside.thenDeliver(messages);
  }

  @Override
  String noRoom() {
    return noRoom(settings.dead(), settings.deadLimit());
  }

  private void trimmed(long entries) {
    if (entries > 0) {
      log.warn(
          "source {}: {} entries are lost: they were trimmed from {} before they were complete",
          name(),
          entries,
          settings.stream());
    }
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    return extended(Script.STREAM_EXTEND, stream, List.of(settings.group(), client), receipts);
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    List<Object> first = List.of(settings.group(), client, settings.delete() ? 1 : 0);
    return each(Script.STREAM_COMPLETE, stream, first, receipts).mapEmpty();
  }

  @Override
  Future<Void> back(Collection<String> receipts, Duration delay) {
    List<Object> first = List.of(settings.group(), client, delay.toMillis(), PARKED);
    return each(Script.STREAM_BACK, streamAndDelayed, first, receipts)
        .onSuccess(answers -> trimmed(answers.stream().mapToLong(Response::toLong).sum()))
        .mapEmpty();
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    List<Object> first =
        List.of(
            settings.group(), client, settings.delete() ? 1 : 0, settings.deadLimit(), kept(cause));
    return setAside(
        Script.STREAM_DEAD, List.of(settings.stream(), settings.dead()), first, receipt);
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    Request add = Request.cmd(Command.XADD).arg(target).arg("*");
    add.arg(settings.idField()).arg(message.id());
    add.arg(settings.bodyField()).arg(message.body());
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      if (List.of(settings.idField(), settings.bodyField()).contains(header.getKey())) {
        return Future.failedFuture(
            new EmissionRefusedException(
                "%s: a message to %s has a header \"%s\", which is the field of its id or body"
                    .formatted(link, target, header.getKey())));
      }
      add.arg(header.getKey()).arg(header.getValue());
    }
    return link.call(add).mapEmpty();
  }

  @Override
  public Future<OptionalLong> lag() {
    return link.run(
            Script.STREAM_LAG,
            streamAndDelayed,
            List.of(settings.group(), settings.delete() ? 1 : 0))
        .map(lag -> lag == null ? OptionalLong.empty() : OptionalLong.of(lag.toLong()));
  }

  @Override
  Future<Void> leave() {
    if (timer != null) {
      boolean unused = vertx.cancelTimer(timer);
    }
    if (!isOpen) {
      return Future.succeededFuture();
    }
    return sweep(client)
        .timeout(LEAVE_SECONDS, TimeUnit.SECONDS)
        .onFailure(
            failure -> log.debug("source {}: {} is left in its group", name(), client, failure))
        .otherwiseEmpty();
  }
}
