package io.callboard.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Row of asks a second of a volatile actor in the same JVM, with 1, 100 and 1000 of them under way:
 * by plain code on the actor's event loop, by plain code on another, by plain code of an actor of
 * the default zone, and there by another actor, to which the answers come as messages. Peers:
 * requests over the event bus between the same places, and Pekko's ask of one actor by another,
 * with a common pool that suits it.
 */
final class LocalAsk implements Row {
  private static final String SAME = "ours, same event loop";
  private static final String OTHER = "ours, two event loops";
  private static final String LOOP = "ours, event loop to default zone";
  private static final String ACTOR = "ours, actor to actor";
  private static final String BUS_SAME = "Vert.x request, same event loop";
  private static final String BUS_OTHER = "Vert.x request, two event loops";
  private static final String PEKKO = "Pekko typed, actor to actor";
  private static final List<Integer> UNDER_WAY = List.of(1, 100, 1000);

  /**
   * Warm-ups of the first contender; a request over the bus is ten times slower until it is
   * compiled.
   */
  private static final int COLD_WARMUPS = 5;

  @Override
  public String name() {
    return "ask";
  }

  @Override
  public String about() {
    return "asks/s in one JVM, 1, 100 and 1000 under way; peers: Pekko typed, Vert.x request";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Node node = Node.inMemory();
        PekkoAsking pekko = new PekkoAsking()) {
      OurAsking ours = new OurAsking(node);
      BusAsking bus = new BusAsking(node.vertx());
      for (int underWay : UNDER_WAY) {
        Rounds rounds =
            new Rounds(stage)
                .warmups(underWay == UNDER_WAY.get(0) ? COLD_WARMUPS : stage.warmups())
                .brief(SAME, ours.byPlainCode(underWay, true))
                .brief(OTHER, ours.byPlainCode(underWay, false))
                .brief(LOOP, ours.byPlainCode(underWay))
                .brief(ACTOR, ours.byActor(underWay))
                .brief(BUS_SAME, bus.byPlainCode(underWay, true))
                .brief(BUS_OTHER, bus.byPlainCode(underWay, false))
                .brief(PEKKO, pekko.byActor(underWay))
                .play();
        String name = "%%s, %d under way".formatted(underWay);
        cases.add(rates(rounds, name.formatted("same event loop"), SAME, BUS_SAME));
        cases.add(rates(rounds, name.formatted("two event loops"), OTHER, BUS_OTHER));
        cases.add(rates(rounds, name.formatted("event loop to default zone"), LOOP, BUS_OTHER));
        cases.add(rates(rounds, name.formatted("actor to actor"), ACTOR, BUS_OTHER));
      }
    }
    return cases;
  }

  private static Case rates(Rounds rounds, String name, String ours, String bus) {
    return rounds.rates(name, "asks/s", ours, List.of(PEKKO, bus));
  }
}
