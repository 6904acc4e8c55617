package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TypeView;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Types of jobs as JSON, each with the counts of its gate and what holds its jobs back. Pure. */
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
  public static List<JsonNode> of(List<TypeView> types, JobCounts counts) {
    return types.stream()
        .<JsonNode>map(
            view -> row(view, counts.byType().getOrDefault(view.type().name(), Map.of())))
        .toList();
  }

  /** Returns types without numbers. */
  public static List<JsonNode> of(List<TypeView> types) {
    return types.stream().<JsonNode>map(TypeRows::of).toList();
  }

  /** Returns a type, with its pause as far as that is known. */
  public static ObjectNode of(TypeView view) {
    ObjectNode row = (ObjectNode) Json.tree(view.type());
    if (view.pause() != null) {
      row.set("pause", Json.tree(view.pause()));
    }
    return row;
  }

  private static ObjectNode row(TypeView view, Map<JobState, Long> byState) {
    long running =
        byState.entrySet().stream()
            .filter(each -> RUN.contains(each.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    ObjectNode row =
        of(view).put("running", running).put("queued", byState.getOrDefault(JobState.QUEUED, 0L));
    row.set("byState", Json.tree(byState));
    return row;
  }
}
