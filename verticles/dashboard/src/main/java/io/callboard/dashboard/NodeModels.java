package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.dashboard.internal.attention.Attention;
import io.callboard.dashboard.internal.attention.FactsReader;
import io.callboard.dashboard.internal.model.ActorRows;
import io.callboard.dashboard.internal.model.CellActors;
import io.callboard.dashboard.internal.model.CellModel;
import io.callboard.dashboard.internal.model.CellNodes;
import io.callboard.dashboard.internal.model.SupervisionRows;
import io.callboard.dashboard.internal.model.Throughput;
import java.time.Clock;

/** Models of a node and its cell, which REST and the WebSocket share. */
record NodeModels(
    Attention attention,
    CellModel cell,
    ActorRows actors,
    SupervisionRows supervision,
    CellActors cellActors,
    CellNodes nodes) {
  /** Creates the models; nothing is read yet. */
  static NodeModels of(NodeParts parts, Throughput throughput) {
    Callboard callboard = parts.callboard();
    Clock clock = parts.clock();
    String cell = parts.options().cell();
    FactsReader facts =
        new FactsReader(
            parts.node(),
            cell,
            parts.grid(),
            parts.jobs(),
            parts.workflows(),
            parts.sources(),
            clock);
    ActorRows actors = new ActorRows(callboard, clock);
    SupervisionRows supervision = new SupervisionRows(callboard, actors);
    return new NodeModels(
        new Attention(facts, clock),
        new CellModel(
            callboard, facts, parts.jobs(), throughput, clock, cell, parts.options().version()),
        actors,
        supervision,
        new CellActors(callboard, supervision, clock),
        new CellNodes(callboard, facts, parts.grid(), parts.jobs(), clock));
  }
}
