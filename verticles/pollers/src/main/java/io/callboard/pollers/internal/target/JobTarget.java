package io.callboard.pollers.internal.target;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.codecs.fields.Fields;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.Submission;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.workflows.template.Template;
import io.callboard.workflows.template.TemplateException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Target that submits a job for each message. */
public final class JobTarget implements Target {
  private final Callboard callboard;
  private final Jobs jobs;
  private final SourceConfig config;
  private final SourceTarget.SubmitJob job;
  private final String told;

  JobTarget(
      Callboard callboard,
      Jobs jobs,
      SourceConfig config,
      SourceTarget.SubmitJob job,
      String told) {
    this.callboard = callboard;
    this.jobs = jobs;
    this.config = config;
    this.job = job;
    this.told = told;
  }

  @Override
  public Future<Outcome> start(String key, String digest, JsonNode data) {
    boolean onComplete = config.ack() == AckMode.ON_COMPLETE;
    return jobs.submitMessage(
            spec(key, data),
            key,
            digest,
            onComplete ? callboard.durableRef(told, JobEnded.class) : null)
        .map(
            submission ->
                onComplete ? outcome(submission) : new Outcome.Begun(submission.job().id(), false));
  }

  private JobSpec spec(String key, JsonNode data) {
    JsonNode args = job.args() == null ? null : filled(job.args(), data);
    List<String> command = new ArrayList<>();
    for (Template each : job.command()) {
      command.add(each.fillText("/command/" + command.size(), data));
    }
    Map<String, String> env = texts("env", job.env(), data);
    env.put("CALLBOARD_SOURCE", config.name());
    env.put("CALLBOARD_MESSAGE", data.path("id").asText());
    Map<String, String> labels = texts("labels", job.labels(), data);
    labels.put("source", config.name());
    return JobSpec.process(job.type(), command)
        .withEnv(args == null ? env : Map.of())
        .withArgs(args)
        .withPriority(job.priority())
        .withUniqueKey(key)
        .withLabels(labels);
  }

  /** Returns the arguments of a handler, with the types that the message has. */
  private static JsonNode filled(Template args, JsonNode data) {
    JsonNode filled = args.fill("/args", data);
    if (!filled.isObject()) {
      throw new TemplateException("/args", "%s gives no object".formatted(args.text()));
    }
    return filled;
  }

  private static Map<String, String> texts(
      String field, Map<String, Template> templates, JsonNode data) {
    Map<String, String> texts = new LinkedHashMap<>();
    templates.forEach(
        (name, each) ->
            texts.put(name, each.fillText("/%s/%s".formatted(field, Fields.escaped(name)), data)));
    return texts;
  }

  private static Outcome outcome(Submission submission) {
    Job its = submission.job();
    JobRun last = its.runs().isEmpty() ? null : its.runs().get(its.runs().size() - 1);
    return its.state().terminal()
        ? ended(its.id(), its.state(), its.error(), last == null ? null : last.forGood())
        : new Outcome.Begun(its.id(), submission.notifies());
  }

  /** Returns the outcome of an attempt whose job has ended. */
  public static Outcome outcome(JobEnded ended) {
    String error =
        ended.error() == null && ended.exitCode() != null
            ? "exit code " + ended.exitCode()
            : ended.error();
    return ended(ended.job(), ended.state(), error, ended.forGood());
  }

  private static Outcome ended(
      String id, JobState state, @Nullable String error, @Nullable Boolean forGood) {
    return switch (state) {
      case SUCCEEDED -> new Outcome.Succeeded(id, state.name());
      case CANCELLED -> new Outcome.Hopeless("its job %s was cancelled".formatted(id));
      case EXPIRED -> new Outcome.Failed("its job %s expired".formatted(id));
      default -> {
        String cause = "its job %s failed%s".formatted(id, error == null ? "" : ": " + error);
        yield Boolean.TRUE.equals(forGood)
            ? new Outcome.Hopeless(cause)
            : new Outcome.Failed(cause);
      }
    };
  }

  @Override
  public Future<TargetRoom> room() {
    return Future.succeededFuture(TargetRoom.ANY);
  }
}
