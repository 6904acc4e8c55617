package io.callboard.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.admin.UserZones;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.actor.HostRuns;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.handler.run.HandlerRunner;
import io.callboard.jobs.handler.run.Offer;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.Optional;

/** Handlers that the program of this node offers to the cell. */
final class Handlers {
  private final Callboard callboard;
  private final HandlerRunner runner;
  private final HostRuns runs;
  private final GateClient gate;

  Handlers(Callboard callboard, HandlerRunner runner, HostRuns runs, GateClient gate) {
    this.callboard = callboard;
    this.runner = runner;
    this.runs = runs;
    this.gate = gate;
  }

  /** See {@link Jobs#handle(String, Class, HandlerOptions, JobHandler)}. */
  <A> Future<Void> handle(
      String name, Class<A> args, HandlerOptions options, JobHandler<A> handler) {
    GateClient.checkName(name);
    Json.checkReadable("arguments of handler \"%s\"".formatted(name), args);
    UserZones.require(callboard.admin(), options.zone(), "handler %.100s".formatted(name));
    if (runner.offered(name).isPresent()) {
      throw new IllegalArgumentException(
          "this node offers a handler \"%s\" already: give each a name of its own".formatted(name));
    }
    runner.offer(new Offer<>(name, args, options, handler));
    return runs.sendReport()
        .recover(JobFailures::translate)
        .compose(sent -> gate.view(name))
        .compose(
            view ->
                name.equals(view.type().handler())
                    ? Future.<Void>succeededFuture()
                    : JobFailures.<Void>fail(Code.ILLEGAL_STATE, isOther(name, view.type())))
        .onFailure(cause -> runner.withdraw(name));
  }

  /**
   * Checks that a specification suits the runner of its type, and that the arguments fit the
   * handler if this node offers it; otherwise a node that does tells when it runs the job.
   *
   * @param handler handler of the type; empty for processes
   */
  Future<Void> check(JobSpec spec, Optional<String> handler) {
    JsonNode args = spec.args();
    if (handler.isEmpty()) {
      return args == null
          ? Future.succeededFuture()
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
    try {
      runner.offered(handler.get()).ifPresent(offer -> offer.read(args));
      return Future.succeededFuture();
    } catch (CodecException e) {
      return refused("/args" + e.pointer(), Causes.message(e));
    }
  }

  private static Future<Void> refused(String pointer, String message) {
    return Future.failedFuture(new JobException(Code.INVALID, pointer, message));
  }

  private static String isOther(String name, JobType type) {
    return "the job type \"%s\" is of %s: give the handler another name"
        .formatted(name, type.runnerWords());
  }
}
