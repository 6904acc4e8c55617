package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorAnswer.Checked;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the arguments of jobs on the nodes that offer their handlers. These may be of two
 * versions, as in a rolling upgrade, so arguments are refused only if each of the nodes refuses
 * them; if one does not answer, or none offers the handler, they pass. Any thread.
 */
final class ArgumentChecks {
  /** Time for the answers of the gate and of the other nodes. */
  private static final Duration WITHIN = Duration.ofSeconds(3);

  /** Number of nodes that are asked at the same time. */
  private static final int HOSTS_AT_ONCE = 20;

  /**
   * Maximum number of checks by other nodes under way, so that a flood of bad submissions does not
   * become one of questions: the arguments of others pass, and the hosts of their runs refuse them.
   */
  private static final int MOST_UNDER_WAY = 20;

  private static final Logger log = LoggerFactory.getLogger(ArgumentChecks.class);

  private static final Future<Void> FITS = Future.succeededFuture();

  private final Callboard callboard;
  private final GateClient gate;

  /** Other nodes that read arguments when they were asked last, by handler. */
  private final Map<String, String> readers = new ConcurrentHashMap<>();

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Future<List<JobHost>> asking = Future.succeededFuture(List.of());

  ArgumentChecks(Callboard callboard, GateClient gate) {
    this.callboard = callboard;
    this.gate = gate;
  }

  /**
   * Completes if arguments may fit a handler; fails with the first refusal if none can read them.
   *
   * @param here answer of this node
   */
  Future<Void> check(MonitorCommand.Check check, Checked here) {
    if (reads(here)) {
      return FITS;
    }
    String reader = readers.get(check.handler());
    return reader == null
        ? askAll(check, here)
        : ask(reader, check)
            .compose(
                answer -> {
                  if (answer.isEmpty() || !answer.get().offered()) {
                    readers.remove(check.handler(), reader);
                  }
                  return answer.isPresent() && reads(answer.get()) ? FITS : askAll(check, here);
                });
  }

  private Future<Void> askAll(MonitorCommand.Check check, Checked here) {
    return hosts()
        .compose(all -> askOthers(all, check))
        .recover(
            cause -> {
              log.debug("arguments for handler {} are not checked", check.handler(), cause);
              return Future.succeededFuture(List.of(Optional.empty()));
            })
        .compose(others -> verdict(here, others));
  }

  /** Returns the hosts as the gate knows them: one question at a time, for all that want them. */
  private Future<List<JobHost>> hosts() {
    Future<List<JobHost>> under = asking;
    if (under.isComplete()) {
      under = gate.hosts().timeout(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      asking = under;
    }
    return under;
  }

  /** Asks the other hosts; a gate that has begun just now does not know them all. */
  private Future<List<Optional<Checked>>> askOthers(
      List<JobHost> hosts, MonitorCommand.Check check) {
    String here = callboard.node();
    if (hosts.stream().noneMatch(host -> host.name().equals(here))) {
      return Future.succeededFuture(List.of(Optional.empty()));
    }
    List<String> others =
        hosts.stream()
            .filter(host -> host.live() && host.offers(check.handler()))
            .map(JobHost::name)
            .filter(host -> !host.equals(here))
            .toList();
    if (!others.isEmpty() && underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return Future.succeededFuture(List.of(Optional.empty()));
    }
    return others.isEmpty()
        ? Future.succeededFuture(List.of())
        : ask(others, check, List.of()).onComplete(done -> underWay.decrementAndGet());
  }

  /** Asks some nodes after others, until one can read the arguments or does not answer. */
  private Future<List<Optional<Checked>>> ask(
      List<String> names, MonitorCommand.Check check, List<Optional<Checked>> before) {
    if (names.isEmpty() || before.stream().anyMatch(ArgumentChecks::lets)) {
      return Future.succeededFuture(before);
    }
    int some = Math.min(HOSTS_AT_ONCE, names.size());
    List<Future<Optional<Checked>>> asked =
        names.subList(0, some).stream().map(name -> ask(name, check)).toList();
    return Future.any(asked.stream().map(ArgumentChecks::passing).toList())
        .<List<Optional<Checked>>>map(any -> List.of(Optional.empty()))
        .recover(
            none -> {
              List<Optional<Checked>> answers = new ArrayList<>(before);
              asked.forEach(each -> answers.add(each.result()));
              return ask(names.subList(some, names.size()), check, answers);
            });
  }

  /** Fails if an answer does not let arguments pass. */
  private static Future<Optional<Checked>> passing(Future<Optional<Checked>> asked) {
    return asked.compose(
        answer -> lets(answer) ? asked : Future.failedFuture("it refuses the arguments"));
  }

  /** Returns whether an answer lets arguments pass. */
  private static boolean lets(Optional<Checked> answer) {
    return answer.isEmpty() || reads(answer.get());
  }

  /** Completes with the answer of a node; empty if it gives none in time. */
  private Future<Optional<Checked>> ask(String host, MonitorCommand.Check check) {
    return callboard
        .ref(HostMonitor.path(host), MonitorCommand.class)
        .ask(check, MonitorAnswer.class, WITHIN)
        .map(
            answer -> {
              Checked its = (Checked) answer;
              if (reads(its)) {
                readers.put(check.handler(), host);
              }
              return Optional.of(its);
            })
        .otherwise(
            cause -> {
              log.debug("{} does not say whether it reads arguments", host, cause);
              return Optional.empty();
            });
  }

  private static boolean reads(Checked answer) {
    return answer.offered() && answer.refusal() == null;
  }

  /**
   * Returns the verdict of the nodes that offer the handler.
   *
   * @param others answers of the other nodes; empty for one that does not answer
   */
  static Future<Void> verdict(Checked here, List<Optional<Checked>> others) {
    if (others.stream().anyMatch(ArgumentChecks::lets)) {
      return FITS;
    }
    return Stream.concat(Stream.of(here), others.stream().flatMap(Optional::stream))
        .filter(Checked::offered)
        .findFirst()
        .map(
            refusing ->
                Future.<Void>failedFuture(
                    new JobException(
                        Code.INVALID,
                        "/args" + refusing.pointer(),
                        String.valueOf(refusing.refusal()))))
        .orElse(FITS);
  }
}
