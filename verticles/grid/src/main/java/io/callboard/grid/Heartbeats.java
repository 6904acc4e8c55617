package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.store.Member;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.Future;
import java.net.ConnectException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Driver of the {@link FailureDetector} as background tasks: sends and receives its heartbeats and
 * publishes the suspected nodes.
 */
final class Heartbeats {
  private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);

  private final Callboard callboard;
  private final GridOptions options;
  private final FailureDetector detector;
  private final Time time;
  private final BackgroundTasks tasks;
  private final Clocks clocks;
  private volatile Set<String> suspects = Set.of();

  /** Names by boot id, of the members and of nodes that were suspected when they left. */
  private Map<String, String> names = Map.of();

  /**
   * @param time that of machines and the network between them, not that of actors
   */
  Heartbeats(Callboard callboard, GridOptions options, Time time) {
    this.callboard = callboard;
    this.options = options;
    this.time = time;
    this.detector = new FailureDetector(callboard.bootId(), options);
    this.tasks = callboard.tasks("the heartbeats", time);
    this.clocks = new Clocks(callboard, tasks, time, options.scan().multipliedBy(2));
  }

  /** Starts to send heartbeats; ends when the node has closed. */
  void start() {
    callboard.signals().listen(Heartbeat.TOPIC, (from, body) -> tasks.run(() -> came(from, body)));
    clocks.start();
    tasks.repeat(Repetition.every(options.heartbeatInterval()).spread(0), this::tick);
    callboard.closed().onComplete(closed -> end());
  }

  private void end() {
    callboard.signals().ignore(Heartbeat.TOPIC);
    clocks.end();
  }

  /** Returns the boot ids of members that are believed to be gone. Any thread. */
  Set<String> suspects() {
    return suspects;
  }

  /** Replaces the list of live members of the cell. Any thread. */
  void members(List<Member> members) {
    tasks.run(
        () -> {
          named(members);
          detector.members(
              members.stream().map(Member::bootId).collect(Collectors.toUnmodifiableSet()));
          act();
        });
  }

  private void named(List<Member> members) {
    Map<String, String> now = new HashMap<>(names);
    now.keySet().retainAll(suspects);
    members.forEach(member -> now.put(member.bootId(), member.name()));
    names = Map.copyOf(now);
    Map<String, String> others = new HashMap<>();
    members.forEach(member -> others.put(member.bootId(), member.name()));
    others.remove(callboard.bootId());
    clocks.members(others);
  }

  private void tick() {
    detector.tick(time.nanoTime());
    act();
    clocks.tick(detector.watched(), time.nanoTime());
  }

  private void came(String from, byte[] body) {
    Heartbeat.decode(body)
        .ifPresentOrElse(
            heartbeat -> {
              detector.came(from, heartbeat, time.nanoTime());
              act();
            },
            () -> log.debug("a heartbeat of node {} is of an unknown kind", from));
  }

  private void act() {
    for (FailureDetector.Sending sending : detector.takeOut()) {
      callboard
          .signals()
          .send(sending.to(), Heartbeat.TOPIC, sending.heartbeat().encode())
          .onFailure(cause -> notSent(sending.to(), cause));
    }
    List<FailureDetector.Verdict> verdicts = detector.takeVerdicts();
    if (!verdicts.isEmpty()) {
      suspects = detector.suspects();
    }
    for (FailureDetector.Verdict verdict : verdicts) {
      log.info(
          "node {} {}",
          names.getOrDefault(verdict.boot(), verdict.boot()),
          verdict
              .loss()
              .map(vacancyReason -> "is suspected to have failed: " + vacancyReason)
              .orElse("was heard again or has left the cell: it is not suspected any more"));
      callboard.leases().suspect(verdict.boot(), verdict.loss());
    }
  }

  private void notSent(String to, Throwable cause) {
    if (isRefusal(cause)) {
      tasks.run(
          () -> {
            detector.refused(to, time.nanoTime());
            act();
          });
    } else {
      log.debug("a heartbeat to node {} was not sent", to, cause);
    }
  }

  /**
   * Returns whether the host refused the connection; a time-out does not count, as the network may
   * be its cause.
   */
  static boolean isRefusal(Throwable cause) {
    return cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException);
  }

  /**
   * Returns for how many nanoseconds a node has not been heard; empty if it never was. Any thread.
   */
  Future<Optional<Long>> silentNanos(String boot) {
    return tasks.call(
        () ->
            Future.succeededFuture(
                detector.heardNanos(boot).map(heardNs -> time.nanoTime() - heardNs)));
  }
}
