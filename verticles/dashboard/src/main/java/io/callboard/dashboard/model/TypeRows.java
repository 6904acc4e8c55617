package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Types of jobs as JSON, each with what its gate counts and holds back. Pure. */
public final class TypeRows {
  /** States of jobs whose run takes one of the type's places. */
  private static final Set<JobState> RUN =
      Set.of(
          JobState.ADMITTED,
          JobState.RUNNING,
          JobState.STALLED,
          JobState.SUSPECT,
          JobState.CANCELLING);

  private TypeRows() {}

  /** Returns a row for each type, with the numbers of its jobs in the cell. */
  public static List<JsonNode> of(List<JobType> types, JobCounts counts) {
    return types.stream()
        .<JsonNode>map(type -> row(type, counts.byType().getOrDefault(type.name(), Map.of())))
        .toList();
  }

  private static ObjectNode row(JobType type, Map<JobState, Long> byState) {
    long running =
        byState.entrySet().stream()
            .filter(each -> RUN.contains(each.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    ObjectNode row =
        ((ObjectNode) Json.tree(type))
            .put("running", running)
            .put("queued", byState.getOrDefault(JobState.QUEUED, 0L));
    row.set("byState", Json.tree(byState));
    return row;
  }
}
