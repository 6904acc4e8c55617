package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.actor.HostMonitor;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.protocol.MonitorAnswer;
import io.callboard.jobs.protocol.MonitorAnswer.Checked;
import io.callboard.jobs.protocol.MonitorCommand;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks of the arguments of jobs by the nodes that offer their handlers. These may be of two
 * versions, as in a rolling upgrade, so arguments are refused only if each of the nodes refuses
 * them; if one does not answer, or none offers the handler, they pass. Any thread.
 */
final class ArgumentChecks {
  /** Time for the answers of the gate and of the other nodes. */
  private static final Duration WITHIN = Duration.ofSeconds(3);

  /** Maximum number of nodes that are asked; with more of them, arguments pass. */
  private static final int MOST_HOSTS = 20;

  private static final Logger log = LoggerFactory.getLogger(ArgumentChecks.class);

  private static final Future<Void> FITS = Future.succeededFuture();

  private final Callboard callboard;
  private final GateClient gate;

  /** Other nodes that read arguments when they were asked last, by handler. */
  private final Map<String, String> readers = new ConcurrentHashMap<>();

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
                answer -> answer.isPresent() && reads(answer.get()) ? FITS : askAll(check, here));
  }

  private Future<Void> askAll(MonitorCommand.Check check, Checked here) {
    readers.remove(check.handler());
    return gate.hosts()
        .timeout(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .compose(hosts -> ask(others(hosts, check.handler()), check))
        .recover(
            cause -> {
              log.debug("arguments for handler {} are not checked", check.handler(), cause);
              return Future.succeededFuture(List.of(Optional.empty()));
            })
        .compose(others -> verdict(here, others));
  }

  private List<String> others(List<JobHost> hosts, String handler) {
    return hosts.stream()
        .filter(host -> host.live() && host.offers(handler))
        .map(JobHost::name)
        .filter(host -> !host.equals(callboard.node()))
        .toList();
  }

  private Future<List<Optional<Checked>>> ask(List<String> hosts, MonitorCommand.Check check) {
    if (hosts.size() > MOST_HOSTS) {
      return Future.succeededFuture(List.of(Optional.empty()));
    }
    List<Future<Optional<Checked>>> asked = hosts.stream().map(host -> ask(host, check)).toList();
    return Future.all(asked).map(all -> all.<Optional<Checked>>list());
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
    if (others.stream().anyMatch(other -> other.isEmpty() || reads(other.get()))) {
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
