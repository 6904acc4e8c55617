package io.callboard.pollers.internal.redis;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.pollers.internal.blocking.SettingAside;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Source in Redis: what streams and lists have in common. */
abstract class RedisSource implements Source {
  /** Prefix of the names of all clients of Callboard. */
  static final String PREFIX = "callboard:";

  /** As many messages as one poll takes, whatever the credit, so that an answer has a limit. */
  static final int MOST_A_POLL = 100;

  /** Seconds for which a poll waits. */
  static final int WAIT_SECONDS = 1;

  private static final int MOST_OF_A_CAUSE = 2_000;

  final RedisLink link;
  final String client;

  /** Messages that cannot be read. */
  final SettingAside aside;

  private final String name;
  private final Duration lease;
  private boolean lacksRoom;
  private @Nullable Future<Void> closing;

  RedisSource(Vertx vertx, RedisEndpoint server, String name, Duration lease, Time time) {
    this.link = new RedisLink(vertx, server);
    this.aside = new SettingAside(vertx, time, "source " + name, this::dead);
    this.name = name;
    this.lease = lease;
    this.client = PREFIX + name + ":" + UUID.randomUUID();
  }

  /** Runs a script for receipts, in as many calls as it takes. */
  final Future<List<Response>> each(
      Script script, List<String> keys, List<Object> first, Collection<String> receipts) {
    List<Future<Response>> calls = new ArrayList<>();
    for (List<String> part : Receipts.calls(receipts)) {
      calls.add(link.run(script, keys, Receipts.arguments(first, part)));
    }
    return Future.all(calls).map(all -> all.<Response>list());
  }

  /** Runs a script that extends; returns the receipts that are lost. */
  final Future<Set<String>> extended(
      Script script, List<String> keys, List<Object> first, Collection<String> receipts) {
    return each(script, keys, first, receipts).map(answers -> lost(receipts, answers));
  }

  private static Set<String> lost(Collection<String> receipts, List<Response> answers) {
    Set<String> lost = new HashSet<>();
    receipts.stream().filter(receipt -> !Receipts.isReceipt(receipt)).forEach(lost::add);
    List<List<String>> calls = Receipts.calls(receipts);
    for (int i = 0; i < calls.size(); i++) {
      for (Response position : answers.get(i)) {
        lost.add(calls.get(i).get(position.toInteger() - 1));
      }
    }
    return lost;
  }

  @Override
  public final Future<Void> fail(String receipt, Duration delay, String cause) {
    return back(List.of(receipt), delay);
  }

  @Override
  public final Future<Void> release(Collection<String> receipts) {
    return back(receipts, Duration.ZERO);
  }

  /** Gives messages back, which come again after a delay. */
  abstract Future<Void> back(Collection<String> receipts, Duration delay);

  /** Runs a script that sets aside. */
  final Future<Void> setAside(
      Script script, List<String> keys, List<Object> first, String receipt) {
    return each(script, keys, first, List.of(receipt))
        .compose(
            answers ->
                answers.isEmpty() || answers.get(0).toInteger() >= 0
                    ? Future.succeededFuture()
                    : Future.failedFuture(new SourceException(noRoom())));
  }

  /** Returns the message that the stream of dead letters is full. */
  final String noRoom(String dead, int limit) {
    return "%s: stream %s has %,d entries, its deadLimit: look at them and trim it"
        .formatted(link, dead, limit);
  }

  /**
   * Records whether the stream of dead letters has room for what a script sets aside.
   *
   * @param room 0 if it has, 1 if something was not set aside for lack of it, else whatever it was
   */
  final void room(int room) {
    lacksRoom = room == 1 || (lacksRoom && room != 0);
  }

  /**
   * Returns the message that a message could not be set aside for lack of room; empty if none was.
   */
  abstract String noRoom();

  @Override
  public final Optional<String> trouble() {
    Optional<String> unfit = aside.trouble().map(what -> link + ": " + what);
    return unfit.isEmpty() && lacksRoom ? Optional.of(noRoom()) : unfit;
  }

  /** Returns a cause, cut to the length that is kept. */
  static String kept(String cause) {
    return cause.length() <= MOST_OF_A_CAUSE ? cause : CutText.head(cause, MOST_OF_A_CAUSE) + "…";
  }

  /** Returns the name of the source, for people. */
  final String name() {
    return name;
  }

  @Override
  public final Optional<Duration> lease() {
    return Optional.of(lease);
  }

  /** Does the last work before the connections end; called once. */
  abstract Future<Void> leave();

  final boolean isClosing() {
    return closing != null;
  }

  @Override
  public final Future<Void> close() {
    if (closing == null) {
      closing = link.endWaiting().eventually(this::leave).eventually(link::close);
    }
    return closing;
  }
}
