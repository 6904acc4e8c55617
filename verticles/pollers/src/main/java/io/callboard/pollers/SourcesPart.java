package io.callboard.pollers;

import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.metric.Metric;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    Map<String, String> all = new LinkedHashMap<>();
    options.sources().forEach(source -> all.put(source.name(), shown(source)));
    options.kinds().forEach(kind -> all.put("kind " + kind.name(), kind.getClass().getName()));
    return all;
  }

  /** Settings of a kind are left out: any of them may be a secret. */
  private static String shown(SourceConfig source) {
    return "%s, %s, ack %s, credit %d"
        .formatted(
            source.kind(),
            source.target().words(),
            source.ack().name().toLowerCase(Locale.ROOT),
            source.credit());
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
  public Future<List<Metric>> metrics(Sources sources) {
    return sources.here().map(SourceSeries::of);
  }

  @Override
  public Future<?> close(Sources sources, RunningNode node) {
    return sources.close();
  }
}
