package io.callboard.pollers;

import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Sources as a part of a node. */
record SourcesPart(SourcesOptions options) implements NodePart<Sources> {
  @Override
  public String name() {
    return "sources";
  }

  @Override
  public Class<Sources> type() {
    return Sources.class;
  }

  @Override
  public List<PartNeed> needs() {
    return List.of(
        PartNeed.of(Jobs.class, "add Jobs.part()"),
        PartNeed.of(Workflows.class, "add Workflows.part()"),
        PartNeed.of(Grid.class, "leave NodeOptions.grid true"));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "names",
        options.sources().stream().map(SourceConfig::name).collect(Collectors.joining(", ")));
  }

  @Override
  public Future<Sources> start(RunningNode node) {
    return Sources.start(
        node.callboard(),
        node.part(Grid.class),
        node.part(Jobs.class),
        node.part(Workflows.class),
        options);
  }

  @Override
  public Future<?> close(Sources sources, RunningNode node) {
    return sources.close();
  }
}
