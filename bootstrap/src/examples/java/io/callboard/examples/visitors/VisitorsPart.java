package io.callboard.examples.visitors;

import com.fasterxml.jackson.databind.node.LongNode;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.examples.visitors.Visitor.Command;
import io.callboard.examples.visitors.Visitor.Visits;
import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Visitors as a part of a node: their actors, and a step of workflows that counts a visit. A node
 * loads it with {@code callboard --app}, an application adds it to its {@code NodeOptions}.
 */
public final class VisitorsPart implements NodePart<VisitorsPart.Visitors> {
  /**
   * All visitors, for other parts and the application.
   *
   * @param asked number of visits that were counted from here
   */
  public record Visitors(Callboard callboard, LongAdder asked) {
    /** Counts a visit. */
    public Future<Visits> visit(String name) {
      asked.increment();
      return callboard
          .durableRef("/visitors/" + name, Command.class)
          .ask(new Command.Visit(), Visits.class);
    }
  }

  @Override
  public String name() {
    return "visitors";
  }

  @Override
  public Class<Visitors> type() {
    return Visitors.class;
  }

  @Override
  public List<PartNeed> needs() {
    return List.of(PartNeed.of(Workflows.class, "add Workflows.part()"));
  }

  @Override
  public Future<Visitors> start(RunningNode node) {
    Visitors visitors = new Visitors(node.callboard(), new LongAdder());
    node.part(Workflows.class)
        .workers()
        .handle(
            "visit",
            step ->
                visitors
                    .visit(step.with().path("name").asText())
                    .map(visits -> LongNode.valueOf(visits.count())));
    return node.callboard().host("/visitors", Visitor::new, new ActorOptions()).map(visitors);
  }

  @Override
  public Future<List<Metric>> metrics(Visitors visitors) {
    Metrics metrics = new Metrics();
    metrics.counter("visitors_asked_total", "Visits counted from here", visitors.asked().sum());
    return Future.succeededFuture(metrics.all());
  }
}
