package io.callboard.dashboard.internal.attention;

import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.StuckMail;
import io.callboard.admin.ZoneStatus;
import io.callboard.grid.GridStatus;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.part.PartTrouble;
import io.callboard.pollers.model.SourceView;
import io.callboard.store.Member;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.WorkView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Facts that a node knows, on which the rules decide. Those of parts that the node does not have
 * are empty readings.
 *
 * @param node name of this node
 * @param bootId this start of it
 * @param cell name of its cell
 * @param parts parts that the node has
 * @param members members of the cell
 * @param others the other members, each with what it says of itself
 * @param grid what is wrong with the grid
 * @param actors actors of this node that may be in trouble
 * @param failureZones failure zones of this node
 * @param zones scheduling zones of this node
 * @param denied permission that the store denies
 * @param unreadableLeases partitions that no node can own, with the reason
 * @param stuck messages that cannot leave the outboxes of this node
 * @param parked parked messages of the cell
 * @param types types of jobs
 * @param dead jobs that died lately
 * @param runs runs of jobs that are in trouble
 * @param brakes brakes of workflow definitions
 * @param work workers and queues of steps of the cell; empty without workflows
 * @param sources sources of the cell
 * @param archives databases that are away
 * @param ofParts troubles that parts of this node report, by the names of the parts
 */
public record Facts(
    String node,
    String bootId,
    String cell,
    Set<Part> parts,
    Reading<List<Member>> members,
    Listing<OtherNode> others,
    Reading<GridStatus> grid,
    Reading<NotableActors> actors,
    List<FailureZoneStatus> failureZones,
    List<ZoneStatus> zones,
    Optional<String> denied,
    Map<String, String> unreadableLeases,
    List<StuckMail> stuck,
    Reading<List<ParkedMessage>> parked,
    Reading<Listing<TypeLoad>> types,
    Reading<Listing<DeadJob>> dead,
    TroubledRuns runs,
    Reading<List<BrakeView>> brakes,
    Reading<Optional<WorkView>> work,
    Reading<List<SourceView>> sources,
    List<StalledArchive> archives,
    Map<String, Reading<List<PartTrouble>>> ofParts) {
  /** Copies set and map. */
  public Facts {
    parts = Set.copyOf(parts);
    ofParts = Map.copyOf(ofParts);
  }

  /** Part that a node need not have. */
  public enum Part {
    /** Job scheduler. */
    JOBS,
    /** Workflow engine. */
    WORKFLOWS,
    /** Sources. */
    SOURCES
  }

  /** Returns whether the node has that part. */
  boolean has(Part part) {
    return parts.contains(part);
  }
}
