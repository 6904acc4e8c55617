package io.callboard.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Row of turns a second of one durable actor. One after the other: asked again when the answer is
 * there, and an actor that tells itself. Pipelined: many messages under way. Peers: the same
 * operations in plain multis, one at a time.
 */
final class SerialTurns implements Row {
  private static final String ASKED = "ours, asked";
  private static final String ITSELF = "ours, telling itself";
  private static final String PIPELINED = "ours, pipelined";
  private static final String ONE_MULTI = "raw, one multi a turn, serial";
  private static final String TWO_MULTIS = "raw, two multis a turn, serial";
  private static final int UNDER_WAY = 2_000;

  @Override
  public String name() {
    return "serial-turns";
  }

  @Override
  public String about() {
    return "turns/s of one durable actor, serial and pipelined; peer: serial raw multis";
  }

  /** Operation that waits for its answer. */
  private interface Step {
    void run() throws Exception;
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Servers server = Servers.here(stage)) {
      for (int bytes : stage.sizes()) {
        cases.addAll(measure(stage, server, bytes));
      }
    }
    return cases;
  }

  private static List<Case> measure(Stage stage, Servers server, int bytes) throws Exception {
    try (Node node = Node.alone(server.connectString());
        RawZooKeeper raw = RawZooKeeper.connect(server.connectString())) {
      String path = "/turns-%d".formatted(bytes);
      Turner asked = new Turner(node, path + "/asked", bytes, 1);
      RawZooKeeper.Turns one = raw.turns(bytes);
      RawZooKeeper.Turns two = raw.turns(bytes);
      Rounds rounds =
          new Rounds(stage)
              .with(ASKED, warmup -> serial(stage.time(warmup), asked::ask))
              .with(ITSELF, new Turner(node, path + "/itself", bytes, 1).tellingItself())
              .with(PIPELINED, new Turner(node, path + "/pipelined", bytes, UNDER_WAY).told())
              .with(ONE_MULTI, warmup -> serial(stage.time(warmup), one::toItself))
              .with(TWO_MULTIS, warmup -> serial(stage.time(warmup), two::asked))
              .play();
      String size = ", " + Stage.label(bytes);
      String pipelined = "%d messages under way".formatted(UNDER_WAY) + size;
      return List.of(
          rounds.rates("asked, 1 at a time" + size, "turns/s", ASKED, List.of(TWO_MULTIS)),
          rounds.rates("telling itself" + size, "turns/s", ITSELF, List.of(ONE_MULTI)),
          rounds.rates(pipelined, "turns/s", PIPELINED, List.of(ONE_MULTI, TWO_MULTIS)));
    }
  }

  private static double[] serial(Duration window, Step step) throws Exception {
    long begun = System.nanoTime();
    long end = begun + window.toNanos();
    int done = 0;
    while (System.nanoTime() < end) {
      step.run();
      done++;
    }
    return new double[] {done * 1e9 / (System.nanoTime() - begun)};
  }
}
