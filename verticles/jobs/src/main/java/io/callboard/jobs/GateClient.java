package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.actor.Gate;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.LabelLimit;
import io.callboard.jobs.protocol.GateAnswer;
import io.callboard.jobs.protocol.GateCommand;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Client of the {@link Gate}, on whichever node that runs. */
final class GateClient {
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?(=.{0,200})?");

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

  /**
   * Returns the type of that name; fails with {@code NOT_FOUND}, naming the existing types, if
   * there is none.
   */
  Future<JobType> type(String name) {
    return types()
        .compose(
            types -> {
              Optional<JobType> found =
                  types.stream().filter(type -> type.name().equals(name)).findFirst();
              return found
                  .map(Future::succeededFuture)
                  .orElseGet(
                      () ->
                          Future.failedFuture(
                              new JobException(
                                  Code.NOT_FOUND,
                                  "/type",
                                  "there is no job type \"%s\"; there are %s; create it: callboard limit TYPE N, or PUT /types/{t}"
                                      .formatted(
                                          name, types.stream().map(JobType::name).toList()))));
            });
  }

  /**
   * Creates or changes a type. A lower limit kills no runs; it takes effect as they end. Fails with
   * {@code ILLEGAL_STATE} if the type is not {@code expected}, unless that is null.
   */
  Future<JobType> put(JobType type, @Nullable JobType expected) {
    if (!type.name().matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID,
              "/name",
              "\"%s\" is not a type name: use up to 63 letters, digits and - _ ., the first a letter or digit"
                  .formatted(type.name())));
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
    if (!type.runner().equals("process")) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID,
              "/runner",
              "there is no runner \"%s\"; there is process".formatted(type.runner())));
    }
    JobException fault = type.retention() == null ? null : RetentionCheck.fault(type.retention());
    if (fault != null) {
      return Future.failedFuture(fault);
    }
    return ask(new GateCommand.PutType(type, expected), GateAnswer.Type.class)
        .map(GateAnswer.Type::type);
  }

  Future<JobType> pause(String type, boolean paused) {
    return ask(new GateCommand.Pause(type, paused), GateAnswer.Type.class)
        .map(GateAnswer.Type::type);
  }

  Future<List<LabelLimit>> limits() {
    return ask(new GateCommand.LookLimits(), GateAnswer.Limits.class)
        .map(GateAnswer.Limits::limits);
  }

  /** Sets the limit of a label, or removes it; completes with all limits. */
  Future<List<LabelLimit>> putLimit(String label, @Nullable Integer running) {
    if (!LABEL.matcher(label).matches()) {
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

  /** Returns what the gate has of each type; fails while an older node runs it. */
  Future<Map<JobType, GateLoad>> loads() {
    return ask(new GateCommand.Look(true), GateAnswer.Overview.class)
        .compose(
            overview ->
                overview.loads() == null
                    ? JobFailures.fail(
                        Code.UNAVAILABLE,
                        "the gate runs on an older node, which does not tell what waits there")
                    : Future.succeededFuture(byType(overview.types(), overview.loads())));
  }

  private static Map<JobType, GateLoad> byType(List<JobType> types, List<GateLoad> loads) {
    Map<String, GateLoad> byName =
        loads.stream().collect(Collectors.toMap(GateLoad::type, Function.identity()));
    Map<JobType, GateLoad> all = new LinkedHashMap<>();
    types.forEach(
        type -> all.put(type, byName.getOrDefault(type.name(), GateLoad.none(type.name()))));
    return all;
  }

  /** Returns the reasons of the gate why a job does not run; empty if it does not know it. */
  Future<List<Blocked>> why(String job, String type) {
    return ask(new GateCommand.AskWhy(job, type), GateAnswer.Why.class)
        .map(GateAnswer.Why::blockedBy);
  }
}
