package io.callboard.dashboard.model;

import io.callboard.ActorStatus;
import io.callboard.NodeCounts;
import io.callboard.ZoneStatus;
import io.callboard.jobs.JobCounts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figures in the text format 0.0.4 of Prometheus. Pure. */
public final class MetricsText {
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder out = new StringBuilder();

  private MetricsText() {}

  public static String of(
      NodeCounts counts, JobCounts jobs, List<ActorStatus> actors, List<ZoneStatus> zones) {
    MetricsText text = new MetricsText();
    text.messages(counts);
    text.jobs(jobs);
    text.actors(actors);
    text.zones(zones);
    return text.out.toString();
  }

  private void messages(NodeCounts counts) {
    counter(
        "callboard_messages_handled_total", "Messages handled without a failure", counts.handled());
    counter("callboard_messages_sent_total", "Durable messages sent", counts.sent());
    counter("callboard_messages_parked_total", "Messages put aside", counts.parked());
    counter("callboard_messages_dead_total", "Messages that could not be delivered", counts.dead());
    counter("callboard_turns_total", "Durable turns committed", counts.turns());
    counter("callboard_turns_failed_total", "Turns that failed", counts.failed());
    counter("callboard_commits_total", "Group commits applied", counts.commits());
  }

  private void jobs(JobCounts jobs) {
    counter("callboard_jobs_ended_total", "Jobs seen to end", jobs.ended());
    head("callboard_jobs", "gauge", "Jobs by type and state");
    new TreeMap<>(jobs.byType())
        .forEach(
            (type, states) ->
                new TreeMap<>(states)
                    .forEach(
                        (state, count) ->
                            line(
                                "callboard_jobs",
                                "{type=\"%s\",state=\"%s\"}".formatted(escaped(type), state),
                                count)));
  }

  private void actors(List<ActorStatus> actors) {
    Map<ActorStatus.State, Long> states = new TreeMap<>();
    long queued = 0;
    for (ActorStatus actor : actors) {
      states.merge(actor.state(), 1L, Long::sum);
      queued += actor.queued();
    }
    head("callboard_actors", "gauge", "Actors of this node by state");
    states.forEach(
        (state, count) -> line("callboard_actors", "{state=\"%s\"}".formatted(state), count));
    head("callboard_mailbox_queued", "gauge", "Messages waiting in memory");
    line("callboard_mailbox_queued", "", queued);
  }

  private void zones(List<ZoneStatus> zones) {
    head("callboard_zone_actors", "gauge", "Actors deployed in a scheduling zone");
    for (ZoneStatus zone : zones) {
      line(
          "callboard_zone_actors",
          "{zone=\"%s\",kind=\"%s\"}".formatted(escaped(zone.name()), escaped(zone.kind())),
          zone.actors());
    }
  }

  private void counter(String name, String help, long value) {
    head(name, "counter", help);
    line(name, "", value);
  }

  private void head(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, String labels, long value) {
    out.append(name).append(labels).append(' ').append(value).append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
