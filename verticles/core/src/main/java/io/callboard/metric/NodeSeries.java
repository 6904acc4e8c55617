package io.callboard.metric;

import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BlobCounts;
import io.callboard.admin.BlobCounts.Moved;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.LinkCounts;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.cell.LeaseCounts;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Metrics of a node without its parts: messages, commits, links, actors, mailboxes and zones. */
public final class NodeSeries {
  private static final double NANOS = 1e9;

  private final Metrics out = new Metrics();

  private NodeSeries() {}

  /**
   * Returns the metrics as they are now, from what is counted as it changes.
   *
   * @param mail the last survey of mailboxes; empty if none has ended yet
   */
  public static List<Metric> of(CallboardAdmin admin, Optional<MailSurvey> mail, Instant now) {
    NodeSeries series = new NodeSeries();
    NodeMetrics node = admin.metrics();
    series.messages(node.counts());
    series.commits(node.commits());
    series.links(node.links());
    series.blobs(node.blobs());
    series.out.gauge("callboard_asks_pending", "Asks without an answer so far", node.asksPending());
    series.out.gauge(
        "callboard_messages_stuck",
        "Messages that cannot leave their outbox before an operator acts",
        node.stuckMessages());
    series.out.gauge(
        "callboard_denied",
        "1 if ZooKeeper denies this node access that it needs, else 0",
        admin.denied().isPresent() ? 1 : 0);
    series.out.gauge(
        "callboard_leases_unreadable",
        "Partitions that no node can own because their lease is damaged",
        admin.unreadableLeases().size());
    series.leases(node.leases());
    series.actors(admin.actorCounts());
    series.failures(node.counts());
    mail.ifPresent(survey -> MailboxSeries.write(series.out, survey, now));
    ZoneSeries.write(series.out, admin.zones());
    FailureZoneSeries.write(series.out, admin.failureZones());
    return series.out.all();
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
    Metrics.Series refused =
        out.counters("callboard_commits_refused_total", "Commits refused, by reason");
    commits.refused().forEach((reason, count) -> refused.add(count, "reason", reason.name()));
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
    directions(
        "callboard_link_frames_total",
        "Frames with messages, by direction",
        links.framesIn(),
        links.framesOut());
    directions(
        "callboard_link_messages_total",
        "Messages in frames, by direction",
        links.messagesIn(),
        links.messagesOut());
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
    directions(
        "callboard_link_pushes_total",
        "Messages pushed to the owner of their mailbox, by direction",
        links.pushesIn(),
        links.pushesOut());
    out.counter(
        "callboard_link_pushes_dropped_total",
        "Messages not pushed, which their owner reads from the store instead",
        links.pushesDropped());
    directions(
        "callboard_broadcasts_total",
        "Broadcasts to all nodes, by direction",
        links.broadcastsIn(),
        links.broadcastsOut());
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
    Metrics.Series bodies =
        out.counters("callboard_blobs_total", "Bodies of large messages, by operation");
    all.forEach((what, moved) -> bodies.add(moved.count(), "what", what));
    Metrics.Series bytes =
        out.counters(
            "callboard_blob_bytes_total", "Bytes of the bodies of large messages, by operation");
    all.forEach((what, moved) -> bytes.add(moved.bytes(), "what", what));
    out.counter(
        "callboard_blob_fetch_failures_total",
        "Bodies of large messages that could not be read",
        blobs.fetchFailures());
  }

  private void actors(ActorCounts actors) {
    Map<ActorStatus.State, Long> states = new TreeMap<>(actors.application());
    actors.toolkit().forEach((state, count) -> states.merge(state, count, Long::sum));
    Metrics.Series byState = out.gauges("callboard_actors", "Actors of this node by state");
    states.forEach((state, count) -> byState.add(count, "state", state.name()));
  }

  private void failures(NodeCounts counts) {
    out.counter("callboard_actor_restarts_total", "Restarts of actors", counts.restarts());
    Metrics.Series byKind =
        out.counters("callboard_actor_failures_total", "Failures of actors, by kind");
    counts.failures().forEach((kind, count) -> byKind.add(count, "kind", kind.name()));
  }

  private void leases(LeaseCounts leases) {
    out.gauges("callboard_owned", "Partitions and roles that this node owns")
        .add(leases.partitions(), "kind", "partition")
        .add(leases.roles(), "kind", "role");
    Metrics.Series taken =
        out.counters(
            "callboard_owned_taken_total",
            "Partitions and roles taken, by how their previous owner was lost");
    leases.taken().forEach((cause, count) -> taken.add(count, "cause", cause.name()));
    out.counter(
        "callboard_owned_left_total",
        "Partitions and roles released, or taken over by other nodes",
        leases.left());
  }

  private void directions(String name, String help, long in, long outwards) {
    out.counters(name, help).add(in, "direction", "in").add(outwards, "direction", "out");
  }
}
