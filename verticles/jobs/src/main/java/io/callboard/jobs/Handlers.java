package io.callboard.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.admin.UserZones;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.actor.HostMonitor;
import io.callboard.jobs.actor.HostRuns;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.handler.run.HandlerRunner;
import io.callboard.jobs.handler.run.OfferedHandler;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.protocol.MonitorAnswer;
import io.callboard.jobs.protocol.MonitorCommand;
import io.callboard.part.PartTrouble;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers that the program of this node offers to the cell, and checks of the arguments for
 * handlers of any node.
 */
final class Handlers {
  /** Time for the answer of another node whether arguments fit; they are not checked after it. */
  private static final Duration CHECK = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(Handlers.class);

  private static final Future<Void> DONE = Future.succeededFuture();

  private final Callboard callboard;
  private final HandlerRunner runner;
  private final GateClient gate;
  private final HandlerOffers offers;

  /** Other hosts that offered a handler when they were asked last, by handler. */
  private final Map<String, String> lastHosts = new ConcurrentHashMap<>();

  Handlers(Callboard callboard, HandlerRunner runner, HostRuns runs, GateClient gate) {
    this.callboard = callboard;
    this.runner = runner;
    this.gate = gate;
    this.offers = new HandlerOffers(callboard, runs::sendReport, gate, runner::withdraw);
  }

  /** See {@link Jobs#handle(String, Class, HandlerOptions, JobHandler)}. */
  <A> Future<Void> handle(
      String name, Class<A> args, HandlerOptions options, JobHandler<A> handler) {
    GateClient.checkName(Objects.requireNonNull(name, "the name of the handler"));
    Objects.requireNonNull(args, "the class of the arguments");
    Objects.requireNonNull(handler, "the handler");
    if (args.isPrimitive()) {
      throw new IllegalArgumentException(
          "the arguments of a handler are a record, or another class, not " + args);
    }
    Json.checkReadable("arguments of a handler", args);
    String zone =
        UserZones.require(callboard.admin(), options.zone(), "handler %.100s".formatted(name));
    OfferedHandler<A> offer = new OfferedHandler<>(name, args, options.zone(zone), handler);
    if (!runner.offer(offer)) {
      throw new IllegalArgumentException(
          "this node offers a handler \"%s\" already: give each a name of its own".formatted(name));
    }
    return offers.add(offer);
  }

  /** See {@link HandlerOffers#troubles}. */
  List<PartTrouble> troubles() {
    return offers.troubles();
  }

  /** Ends the waits for a scheduler: what waits for one fails. */
  void close() {
    offers.close();
  }

  /**
   * Checks that a specification suits the runner of its type, and that the arguments fit the
   * handler, by this node or another that offers it. While no node does they are not checked: a run
   * of the job fails then, as it does on a node whose handler is of another version.
   *
   * @param handler handler of the type; empty for processes
   */
  Future<Void> check(JobSpec spec, Optional<String> handler) {
    JsonNode args = spec.args();
    if (handler.isEmpty()) {
      return args == null
          ? DONE
          : refused(
              "/args",
              "the jobs of type %s are processes, which have no args: give a command"
                  .formatted(spec.type()));
    } else if (!spec.command().isEmpty()) {
      return refused(
          "/command",
          "the jobs of type %s run in the handler \"%s\", which has no command: give args"
              .formatted(spec.type(), handler.get()));
    } else if (args == null) {
      return refused(
          "/args",
          "the jobs of type %s run in the handler \"%s\": give args, such as {}"
              .formatted(spec.type(), handler.get()));
    }
    MonitorCommand.Check check = new MonitorCommand.Check(handler.get(), args);
    MonitorAnswer.Checked here = answer(check);
    return here.offered()
        ? outcome(here)
        : elsewhere(check).compose(answer -> answer.map(Handlers::outcome).orElse(DONE));
  }

  private static Future<Void> outcome(MonitorAnswer.Checked checked) {
    String refusal = checked.refusal();
    return refusal == null ? DONE : refused("/args" + checked.pointer(), refusal);
  }

  /** Returns the answer of this node whether arguments fit a handler. */
  MonitorAnswer.Checked answer(MonitorCommand.Check check) {
    Optional<OfferedHandler<?>> offered = runner.offered(check.handler());
    try {
      if (offered.isPresent()) {
        Object unused = offered.get().read(check.args());
      }
      return new MonitorAnswer.Checked(offered.isPresent(), null, null);
    } catch (CodecException e) {
      return new MonitorAnswer.Checked(true, e.pointer(), Causes.message(e));
    }
  }

  /** Completes with the answer of a node that offers the handler; empty if none answers in time. */
  private Future<Optional<MonitorAnswer.Checked>> elsewhere(MonitorCommand.Check check) {
    String known = lastHosts.get(check.handler());
    return (known == null ? host(check.handler()) : Future.succeededFuture(Optional.of(known)))
        .compose(
            host ->
                host.isEmpty()
                    ? Future.succeededFuture(Optional.<MonitorAnswer.Checked>empty())
                    : ask(host.get(), check))
        .recover(
            cause -> {
              lastHosts.remove(check.handler());
              log.debug("arguments for handler {} are not checked", check.handler(), cause);
              return Future.succeededFuture(Optional.empty());
            });
  }

  private Future<Optional<String>> host(String handler) {
    return gate.hosts()
        .map(
            hosts ->
                hosts.stream()
                    .filter(host -> host.live() && host.offers(handler))
                    .map(JobHost::name)
                    .filter(host -> !host.equals(callboard.node()))
                    .findFirst());
  }

  private Future<Optional<MonitorAnswer.Checked>> ask(String host, MonitorCommand.Check check) {
    return callboard
        .ref(HostMonitor.path(host), MonitorCommand.class)
        .ask(check, MonitorAnswer.class, CHECK)
        .map(
            answer -> {
              boolean offers = answer instanceof MonitorAnswer.Checked its && its.offered();
              if (offers) {
                lastHosts.put(check.handler(), host);
              } else {
                lastHosts.remove(check.handler());
              }
              return offers
                  ? Optional.of((MonitorAnswer.Checked) answer)
                  : Optional.<MonitorAnswer.Checked>empty();
            });
  }

  private static Future<Void> refused(String pointer, String message) {
    return Future.failedFuture(new JobException(Code.INVALID, pointer, message));
  }
}
