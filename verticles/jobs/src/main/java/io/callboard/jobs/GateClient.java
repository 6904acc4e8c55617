package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobLabels;
import io.callboard.jobs.model.JobNames;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.LabelLimit;
import io.callboard.jobs.model.TypePause;
import io.callboard.jobs.model.TypeView;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Client of the {@link Gate}, on whichever node that runs. */
final class GateClient {
  private final Callboard callboard;

  GateClient(Callboard callboard) {
    this.callboard = callboard;
  }

  private <T extends GateAnswer> Future<T> ask(GateCommand command, Class<T> answer) {
    return callboard
        .durableRef(Gate.PATH, GateCommand.class)
        .ask(command, GateAnswer.class, Jobs.ASK)
        .recover(JobFailures::translate)
        .compose(
            got ->
                got instanceof GateAnswer.Refused refused
                    ? JobFailures.fail(refused.code(), refused.message())
                    : Future.succeededFuture(answer.cast(got)));
  }

  Future<List<JobType>> types() {
    return ask(new GateCommand.Look(null), GateAnswer.Overview.class)
        .map(GateAnswer.Overview::types);
  }

  Future<List<TypeView>> views() {
    return ask(new GateCommand.Look(null), GateAnswer.Overview.class)
        .map(
            overview ->
                overview.types().stream().map(type -> view(type, overview.pauses())).toList());
  }

  private static TypeView view(JobType type, @Nullable Map<String, TypePause> pauses) {
    return new TypeView(type, pauses == null ? null : pauses.get(type.name()));
  }

  /**
   * Returns the type of that name; fails with {@code NOT_FOUND}, naming existing types, if there is
   * none.
   */
  Future<TypeView> view(String name) {
    return views()
        .compose(
            views ->
                views.stream()
                    .filter(view -> view.type().name().equals(name))
                    .findFirst()
                    .map(Future::succeededFuture)
                    .orElseGet(
                        () ->
                            Future.failedFuture(
                                new JobException(
                                    Code.NOT_FOUND,
                                    "/type",
                                    "there is no job type \"%s\": a node that offers a handler of that name makes it (Jobs.handle), as do Jobs.putType, callboard limit TYPE N and PUT /types/{t}; %s"
                                        .formatted(
                                            name,
                                            Suggestions.remedyOfMany(
                                                name,
                                                views.stream()
                                                    .map(view -> view.type().name())
                                                    .toList()))))));
  }

  /**
   * Creates or changes a type. A lower limit kills no runs; it takes effect as they end. Fails with
   * {@code ILLEGAL_STATE} if the type is not {@code expected}, unless that is null.
   */
  Future<TypeView> put(
      JobType type, @Nullable JobType expected, @Nullable String by, @Nullable String reason) {
    Optional<String> noName = JobNames.fault("type", type.name());
    if (noName.isPresent()) {
      return Future.failedFuture(new JobException(Code.INVALID, "/name", noName.get()));
    }
    if (type.limit() < 0 || type.limit() > 100_000) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID, "/limit", "the limit is 0 to 100000, not " + type.limit()));
    }
    Double share = type.maxShare();
    if (share != null && !(share > 0 && share <= 1)) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID, "/maxShare", "maxShare is over 0 and up to 1, not " + share));
    }
    JobException fault = runnerFault(type);
    if (fault == null && (expected == null || !type.retry().equals(expected.retry()))) {
      fault = SpecCheck.retry(type.retry()); // one that an earlier version took stays
    }
    if (fault == null && type.retention() != null) {
      fault = RetentionCheck.fault(type.retention());
    }
    if (fault == null) {
      fault = tooLong(by, reason);
    }
    return fault == null
        ? changed(new GateCommand.PutType(type, expected, by, reason))
            .compose(view -> hasHandler(type, view))
        : Future.failedFuture(fault);
  }

  /** Returns what is wrong with what runs the jobs of a type; null if nothing is. */
  private static @Nullable JobException runnerFault(JobType type) {
    String handler = type.handler();
    if (type.runner().equals(JobType.PROCESS)) {
      return handler == null
          ? null
          : new JobException(
              Code.INVALID,
              "/handler",
              "type %s is of processes, which have no handler: name another type, or leave the handler out"
                  .formatted(type.name()));
    } else if (!type.runner().equals(JobType.HANDLER)) {
      return new JobException(
          Code.INVALID,
          "/runner",
          "there is no runner \"%s\"; there are process and handler".formatted(type.runner()));
    } else if (handler == null) {
      return new JobException(
          Code.INVALID, "/handler", "a type of the runner handler names one, such as report");
    }
    return JobNames.fault("handler", handler)
        .map(why -> new JobException(Code.INVALID, "/handler", why))
        .orElse(null);
  }

  /** A gate of an earlier version knows no handlers. */
  private static Future<TypeView> hasHandler(JobType asked, TypeView now) {
    return Objects.equals(asked.handler(), now.type().handler())
        ? Future.succeededFuture(now)
        : JobFailures.fail(
            Code.UNAVAILABLE,
            "the gate runs on a node of an earlier version, which knows no handlers: update all nodes");
  }

  Future<TypeView> pause(
      String type, boolean paused, @Nullable String by, @Nullable String reason) {
    JobException fault = tooLong(by, reason);
    return fault == null
        ? changed(new GateCommand.Pause(type, paused, by, reason))
        : Future.failedFuture(fault);
  }

  private Future<TypeView> changed(GateCommand command) {
    return ask(command, GateAnswer.Type.class)
        .map(answer -> new TypeView(answer.type(), answer.pause()));
  }

  /** Returns why the name or the reason of a pause is too long; null if neither is. */
  static @Nullable JobException tooLong(@Nullable String by, @Nullable String reason) {
    JobException fault = tooLong("/by", "who pauses a type", by);
    return fault == null ? tooLong("/reason", "why a type is paused", reason) : fault;
  }

  private static @Nullable JobException tooLong(
      String pointer, String what, @Nullable String given) {
    return given == null || given.length() <= TypePause.MOST_TEXT
        ? null
        : new JobException(
            Code.INVALID,
            pointer,
            "%s has up to %d characters, not %d"
                .formatted(what, TypePause.MOST_TEXT, given.length()));
  }

  Future<List<LabelLimit>> limits() {
    return ask(new GateCommand.LookLimits(), GateAnswer.Limits.class)
        .map(GateAnswer.Limits::limits);
  }

  /** Sets the limit of a label, or removes it; completes with all limits. */
  Future<List<LabelLimit>> putLimit(String label, @Nullable Integer running) {
    if (!JobLabels.isLabel(label)) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID,
              "/label",
              "\"%s\" is not a label of jobs: give key=value, or key for any value; a key has up to 63 letters, digits and - _ . /, a value up to 200 characters"
                  .formatted(label)));
    }
    if (running != null && (running < 0 || running > 100_000)) {
      return Future.failedFuture(
          new JobException(Code.INVALID, "/running", "the limit is 0 to 100000, not " + running));
    }
    return ask(new GateCommand.PutLimit(label, running), GateAnswer.Limits.class)
        .map(GateAnswer.Limits::limits);
  }

  Future<List<JobHost>> hosts() {
    return ask(new GateCommand.Look(null), GateAnswer.Overview.class)
        .map(GateAnswer.Overview::hosts);
  }

  /** Returns the load of each type at the gate; fails while an older node runs the gate. */
  Future<Map<TypeView, GateLoad>> loads() {
    return ask(new GateCommand.Look(true), GateAnswer.Overview.class)
        .compose(
            overview ->
                overview.loads() == null
                    ? JobFailures.fail(
                        Code.UNAVAILABLE,
                        "the gate runs on an older node, which does not tell what waits there")
                    : Future.succeededFuture(byType(overview, overview.loads())));
  }

  private static Map<TypeView, GateLoad> byType(
      GateAnswer.Overview overview, List<GateLoad> loads) {
    Map<String, GateLoad> byName =
        loads.stream().collect(Collectors.toMap(GateLoad::type, Function.identity()));
    Map<TypeView, GateLoad> all = new LinkedHashMap<>();
    overview
        .types()
        .forEach(
            type ->
                all.put(
                    view(type, overview.pauses()),
                    byName.getOrDefault(type.name(), GateLoad.none(type.name()))));
    return all;
  }

  /** Returns the gate's reasons why a job does not run; empty if the gate does not know the job. */
  Future<List<Blocked>> why(String job, String type) {
    return ask(new GateCommand.AskWhy(job, type), GateAnswer.Why.class)
        .map(GateAnswer.Why::blockedBy);
  }
}
