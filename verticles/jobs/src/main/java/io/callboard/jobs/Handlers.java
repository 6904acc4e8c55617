package io.callboard.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.admin.UserZones;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.internal.call.HandlerRunner;
import io.callboard.jobs.internal.call.OfferedHandler;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobNames;
import io.callboard.jobs.model.JobSpec;
import io.callboard.part.PartTrouble;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Handlers that the program of this node offers to the cell, and checks of the arguments for
 * handlers of any node.
 */
final class Handlers {
  private static final Future<Void> DONE = Future.succeededFuture();

  private final Callboard callboard;
  private final HandlerRunner runner;
  private final HandlerOffers offers;

  private final ArgumentChecks arguments;

  /**
   * Creates the handlers of a node that offers none yet.
   *
   * @param report reports what this node offers to the gate; fails if nobody reads it
   */
  Handlers(
      Callboard callboard, HandlerRunner runner, Supplier<Future<Void>> report, GateClient gate) {
    this.callboard = callboard;
    this.runner = runner;
    this.arguments = new ArgumentChecks(callboard, gate);
    this.offers = new HandlerOffers(callboard, report, gate, runner::withdraw);
  }

  /** See {@link Jobs#handle(String, Class, HandlerOptions, JobHandler)}. */
  <A> Future<Void> handle(
      String name, Class<A> args, HandlerOptions options, JobHandler<A> handler) {
    JobNames.fault("handler", Objects.requireNonNull(name, "name is null: name the handler"))
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    Objects.requireNonNull(args, "args is null: give the class of the arguments");
    Objects.requireNonNull(options, "options is null: give HandlerOptions.DEFAULT");
    Objects.requireNonNull(handler, "handler is null: give the code that runs the jobs");
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

  /** Ends the waits for a scheduler, which fail. */
  void close() {
    offers.close();
  }

  /**
   * Checks that a specification suits the runner of its type, and that the arguments fit the
   * handler, as {@link ArgumentChecks} do.
   *
   * @param handler handler of the type; empty for processes
   */
  Future<Void> check(JobSpec spec, Optional<String> handler) {
    JsonNode args = spec.args();
    if (handler.isEmpty()) {
      return args == null
          ? spec.command().isEmpty() ? refused("/command", JobSpec.NO_COMMAND) : DONE
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
    return arguments.check(check, answer(check));
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

  private static Future<Void> refused(String pointer, String message) {
    return Future.failedFuture(new JobException(Code.INVALID, pointer, message));
  }
}
