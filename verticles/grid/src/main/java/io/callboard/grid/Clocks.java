package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Driver of the {@link ClockWatch}: asks the nodes that this one watches for their time, logs the
 * nodes whose clocks differ, and publishes the differences as a fact of this member, from which the
 * {@link GridMonitor} makes a finding. One of the background tasks of the {@link Heartbeats}.
 */
final class Clocks {
  private static final Logger log = LoggerFactory.getLogger(Clocks.class);
  private static final String FACT = "grid.clocks";

  private final Callboard callboard;
  private final BackgroundTasks tasks;
  private final Time time;
  private final long everyNs;
  private final ClockWatch watch = new ClockWatch();
  private Map<String, Long> published = Map.of();
  private boolean publishing;
  private boolean begun;
  private long askedNs;

  /** Stored form of the fact. */
  record Differing(int f, Map<String, Long> ahead) {
    static final int FORMAT = 1;
  }

  Clocks(Callboard callboard, BackgroundTasks tasks, Time time, Duration every) {
    this.callboard = callboard;
    this.tasks = tasks;
    this.time = time;
    this.everyNs = every.toNanos();
  }

  void start() {
    callboard
        .signals()
        .listen(
            ClockWatch.TOPIC,
            (from, body) -> {
              long nowNs = time.nanoTime();
              long nowMillis = time.clock().millis();
              tasks.run(() -> came(from, body, nowNs, nowMillis));
            });
  }

  void end() {
    callboard.signals().ignore(ClockWatch.TOPIC);
  }

  /** Replaces the set of other live members: names by boot id. */
  void members(Map<String, String> others) {
    watch.members(others);
    publish();
  }

  /**
   * Asks for the time and publishes what changed, once per interval; called once a heartbeat
   * interval.
   */
  void tick(Set<String> watched, long nowNs) {
    if (begun && nowNs - askedNs < everyNs) {
      return;
    }
    begun = true;
    askedNs = nowNs;
    watch.ask(watched, nowNs).forEach(this::send);
    publish();
  }

  private void came(String from, byte[] body, long nowNs, long nowMillis) {
    watch.answer(from, body, nowMillis).ifPresent(this::send);
    watch
        .came(from, body, nowNs, nowMillis)
        .ifPresent(
            change -> {
              change
                  .aheadMillis()
                  .ifPresentOrElse(
                      ahead ->
                          log.warn(
                              "the clock of node {} is {} ms {} this node's: synchronise both by NTP; timers and schedules that move between the "
                                  + "two nodes fire too early or too late",
                              change.node(),
                              Math.abs(ahead),
                              ahead < 0 ? "behind" : "ahead of"),
                      () ->
                          log.info(
                              "the clock of node {} agrees with this node's again", change.node()));
              publish();
            });
  }

  private void send(ClockWatch.Sending sending) {
    callboard
        .signals()
        .send(sending.to(), ClockWatch.TOPIC, sending.body())
        .onFailure(cause -> log.debug("a clock request to another node was not sent", cause));
  }

  /**
   * Publishes the differences if they changed, one write at a time; a failed write is repeated with
   * the next question.
   */
  private void publish() {
    Map<String, Long> now = watch.differing();
    if (publishing || now.equals(published)) {
      return;
    }
    publishing = true;
    byte[] fact = Json.bytes(new Differing(Differing.FORMAT, now));
    callboard
        .publish(FACT, new String(fact, StandardCharsets.UTF_8))
        .onComplete(
            done ->
                tasks.run(
                    () -> {
                      publishing = false;
                      if (done.succeeded()) {
                        published = now;
                      } else {
                        log.debug(
                            "the clock differences could not be published; the next comparison tries again",
                            done.cause());
                      }
                    }));
  }

  /**
   * Returns the clock differences that a member has published: seconds ahead of its own clock, by
   * name of the node.
   */
  static Map<String, Long> published(Member member) {
    String fact = member.facts().get(FACT);
    if (fact == null) {
      return Map.of();
    }
    try {
      return Json.read(
              "the clock differences published by node " + member.name(),
              fact.getBytes(StandardCharsets.UTF_8),
              Differing.class)
          .ahead();
    } catch (CodecException e) {
      log.debug("the clock differences published by a node cannot be read", e);
      return Map.of();
    }
  }

  /**
   * Returns the differences that all members have published, each pair of nodes once: the key is
   * "a, b", the value how many seconds b is ahead of a.
   */
  static Map<String, Long> pairs(Iterable<Member> members) {
    Set<String> live = new HashSet<>();
    members.forEach(member -> live.add(member.name()));
    Map<String, Long> found = new TreeMap<>();
    for (Member member : members) {
      published(member)
          .forEach(
              (other, ahead) -> {
                boolean ordered = member.name().compareTo(other) < 0;
                String pair = ordered ? member.name() + ", " + other : other + ", " + member.name();
                if (live.contains(other)) {
                  found.putIfAbsent(pair, ordered ? ahead : -ahead);
                }
              });
    }
    return found;
  }
}
