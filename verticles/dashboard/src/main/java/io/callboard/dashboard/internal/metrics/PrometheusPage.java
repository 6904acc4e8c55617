package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BlobCounts;
import io.callboard.admin.BlobCounts.Moved;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.LinkCounts;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ZoneStatus;
import io.callboard.grid.GridCounts;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobCounts;
import io.callboard.pollers.model.SourceView;
import io.callboard.workflows.model.InstanceArchiveStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Figures in the text format 0.0.4 of Prometheus. Pure. */
public final class PrometheusPage {
  /** Media type of the text. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Maximum number of the actors that report details which are looked at for guards. */
  public static final int MOST_REPORTING = 1_000;

  private static final double NANOS = 1e9;

  private final PrometheusWriter out = new PrometheusWriter();

  private PrometheusPage() {}

  /**
   * Returns the text.
   *
   * @param grid figures of the grid
   * @param denied whether the store refuses this node something
   * @param unreadableLeases number of partitions that nobody can own because their lease cannot be
   *     read
   * @param sources the sources of this node
   * @param reporting actors that report details, up to {@value #MOST_REPORTING}
   * @param mail the last survey; empty if none has ended yet
   */
  public static String of(
      NodeMetrics node,
      GridCounts grid,
      boolean denied,
      int unreadableLeases,
      Optional<JobCounts> jobs,
      Optional<ArchiveStatus> archive,
      Optional<InstanceArchiveStatus> instances,
      Optional<List<SourceView>> sources,
      ActorCounts actors,
      List<ActorStatus> reporting,
      Optional<MailSurvey> mail,
      List<ZoneStatus> zones,
      List<FailureZoneStatus> failureZones,
      Instant now) {
    PrometheusPage text = new PrometheusPage();
    text.messages(node.counts());
    text.commits(node.commits());
    text.links(node.links());
    text.blobs(node.blobs());
    text.out.gauge("callboard_asks_pending", "Asks without an answer so far", node.asksPending());
    text.out.gauge(
        "callboard_messages_stuck",
        "Messages that cannot leave their outbox before an operator acts",
        node.stuckMessages());
    text.out.gauge(
        "callboard_denied",
        "1 if ZooKeeper denies this node access that it needs, else 0",
        denied ? 1 : 0);
    text.out.gauge(
        "callboard_leases_unreadable",
        "Partitions that no node can own because their lease is damaged",
        unreadableLeases);
    GridSeries.write(text.out, node.leases(), grid);
    jobs.ifPresent(text::jobs);
    archive.ifPresent(text::archive);
    instances.ifPresent(text::instances);
    sources.ifPresent(all -> SourceSeries.write(text.out, all));
    text.actors(actors);
    text.failures(node.counts());
    mail.ifPresent(survey -> MailboxSeries.write(text.out, survey, now));
    GuardSeries.write(text.out, reporting, now);
    ZoneSeries.write(text.out, zones);
    FailureZoneSeries.write(text.out, failureZones);
    return text.out.toString();
  }

  private void messages(NodeCounts counts) {
    out.counter(
        "callboard_messages_handled_total", "Messages handled without a failure", counts.handled());
    out.counter("callboard_messages_sent_total", "Durable messages sent", counts.sent());
    out.counter("callboard_messages_parked_total", "Messages parked", counts.parked());
    out.counter(
        "callboard_messages_dead_total", "Messages that could not be delivered", counts.dead());
    out.counter("callboard_turns_total", "Durable turns committed", counts.turns());
    out.counter("callboard_turns_failed_total", "Turns that failed", counts.failed());
    out.counter("callboard_commits_total", "Group commits applied", counts.commits());
  }

  private void commits(CommitCounts commits) {
    out.histogram(
        "callboard_commit_seconds",
        "Time from sending an applied commit to its answer",
        commits.latency(),
        NANOS);
    out.histogram(
        "callboard_commit_units",
        "Turns and messages from outside in an applied commit",
        commits.unitsPerCommit(),
        1);
    out.counter(
        "callboard_commit_operations_total",
        "Operations of the store in applied commits, estimated",
        commits.operations());
    out.counter(
        "callboard_commit_bytes_total", "Bytes in applied commits, estimated", commits.bytes());
    out.head("callboard_commits_refused_total", "counter", "Commits refused, by reason");
    commits
        .refused()
        .forEach(
            (reason, count) ->
                out.line("callboard_commits_refused_total", label("reason", reason.name()), count));
    out.counter(
        "callboard_commits_unknown_total", "Commits whose answer was lost", commits.unknown());
    out.counter("callboard_session_renewals_total", "Renewals of the session", commits.renewals());
    out.counter(
        "callboard_units_held_back_total",
        "Units held back because a mailbox was full",
        commits.heldBack());
    out.gauge(
        "callboard_units_waiting", "Units that wait or are being committed", commits.waiting());
  }

  private void links(LinkCounts links) {
    out.head("callboard_link_frames_total", "counter", "Frames with messages, by direction");
    out.line("callboard_link_frames_total", label("direction", "in"), links.framesIn());
    out.line("callboard_link_frames_total", label("direction", "out"), links.framesOut());
    out.head("callboard_link_messages_total", "counter", "Messages in frames, by direction");
    out.line("callboard_link_messages_total", label("direction", "in"), links.messagesIn());
    out.line("callboard_link_messages_total", label("direction", "out"), links.messagesOut());
    out.counter("callboard_link_frames_lost_total", "Frames that were lost", links.lost());
    out.counter(
        "callboard_link_frames_repeated_total",
        "Frames that arrived late or twice",
        links.repeated());
    out.counter(
        "callboard_link_frames_refused_total", "Frames that could not be read", links.refused());
    out.counter(
        "callboard_link_messages_overflowed_total",
        "Messages refused because too many were waiting",
        links.overflowed());
    out.head(
        "callboard_link_pushes_total",
        "counter",
        "Messages pushed to the owner of their mailbox, by direction");
    out.line("callboard_link_pushes_total", label("direction", "in"), links.pushesIn());
    out.line("callboard_link_pushes_total", label("direction", "out"), links.pushesOut());
    out.counter(
        "callboard_link_pushes_dropped_total",
        "Messages not pushed, which their owner reads from the store instead",
        links.pushesDropped());
    out.head("callboard_broadcasts_total", "counter", "Broadcasts to all nodes, by direction");
    out.line("callboard_broadcasts_total", label("direction", "in"), links.broadcastsIn());
    out.line("callboard_broadcasts_total", label("direction", "out"), links.broadcastsOut());
    out.counter(
        "callboard_broadcasts_dropped_total",
        "Broadcasts not sent to a node, whose subscribers read their source again",
        links.broadcastsDropped());
  }

  private void blobs(BlobCounts blobs) {
    Map<String, Moved> all = new LinkedHashMap<>();
    all.put("written", blobs.written());
    all.put("fetched", blobs.fetched());
    all.put("deleted", blobs.deleted());
    all.put("forsaken", blobs.forsaken());
    out.head("callboard_blobs_total", "counter", "Bodies of large messages, by operation");
    all.forEach(
        (what, moved) -> out.line("callboard_blobs_total", label("what", what), moved.count()));
    out.head(
        "callboard_blob_bytes_total",
        "counter",
        "Bytes of the bodies of large messages, by operation");
    all.forEach(
        (what, moved) ->
            out.line("callboard_blob_bytes_total", label("what", what), moved.bytes()));
    out.counter(
        "callboard_blob_fetch_failures_total",
        "Bodies of large messages that could not be read",
        blobs.fetchFailures());
  }

  private void archive(ArchiveStatus archive) {
    Integer waiting = archive.waiting();
    if (waiting != null) {
      out.gauge(
          "callboard_jobs_to_archive",
          "Ended jobs that are to be written to the archive's database",
          waiting);
    }
    out.gauge(
        "callboard_jobs_archive_away",
        "Whether ended jobs cannot be archived now",
        archive.awaySince() == null ? 0 : 1);
  }

  private void instances(InstanceArchiveStatus instances) {
    out.gauge(
        "callboard_workflows_ended",
        "Workflow instances of this node's partitions that have ended and are in the cell",
        instances.ended());
    out.gauge(
        "callboard_workflows_archive_away",
        "Whether ended workflow instances cannot be archived and removed now",
        instances.awaySince() == null ? 0 : 1);
  }

  private void jobs(JobCounts jobs) {
    out.counter("callboard_jobs_ended_total", "Jobs seen to end", jobs.ended());
    out.head("callboard_jobs", "gauge", "Jobs by type and state");
    new TreeMap<>(jobs.byType())
        .forEach(
            (type, states) ->
                new TreeMap<>(states)
                    .forEach(
                        (state, count) ->
                            out.line(
                                "callboard_jobs",
                                label("type", type) + "," + label("state", String.valueOf(state)),
                                count)));
  }

  private void actors(ActorCounts actors) {
    Map<ActorStatus.State, Long> states = new TreeMap<>(actors.application());
    actors.toolkit().forEach((state, count) -> states.merge(state, count, Long::sum));
    out.head("callboard_actors", "gauge", "Actors of this node by state");
    states.forEach(
        (state, count) -> out.line("callboard_actors", label("state", state.name()), count));
  }

  private void failures(NodeCounts counts) {
    out.counter("callboard_actor_restarts_total", "Restarts of actors", counts.restarts());
    out.head("callboard_actor_failures_total", "counter", "Failures of actors, by kind");
    counts
        .failures()
        .forEach(
            (kind, count) ->
                out.line("callboard_actor_failures_total", label("kind", kind.name()), count));
  }
}
