package io.callboard.bench;

import io.callboard.bench.Case.Better;
import io.callboard.bench.ZoneSetting.Noise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Row of the isolation by zones: the time until an actor handles a message, and until a failed one
 * runs again, while other actors saturate their threads with handlers that block or spin. For
 * comparison the same without the others, and with everything in one zone of as many threads. The
 * noise has one thread, as two spinning ones would occupy the two cores of a small machine,
 * whatever the zones.
 */
final class ZonesApart implements Row {
  private static final String APART = "beside a busy zone";
  private static final String UNLOADED = "unloaded";
  private static final String TOGETHER = "everything in one zone";
  private static final String[] HANDLED = {"p50", "p99"};
  private static final String[] RESTARTED = {"median", "longest"};

  @Override
  public String name() {
    return "zones";
  }

  @Override
  public String about() {
    return "latency of an actor, and of its restart, beside a zone saturated by blocking or spinning"
        + " actors; unloaded; all in one zone";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    for (Noise noise : Noise.values()) {
      cases.addAll(measure(stage, noise));
    }
    return cases;
  }

  private static List<Case> measure(Stage stage, Noise noise) throws Exception {
    try (ZoneSetting apart = ZoneSetting.apart();
        ZoneSetting together = ZoneSetting.together()) {
      Rounds rounds =
          new Rounds(stage)
              .with(UNLOADED, warmup -> apart.figures(stage.time(warmup)))
              .with(APART, warmup -> apart.during(noise, () -> apart.figures(stage.time(warmup))))
              .with(
                  TOGETHER,
                  warmup -> together.during(noise, () -> together.figures(stage.time(warmup))))
              .play();
      List<Case> cases = new ArrayList<>();
      for (int i = 0; i < HANDLED.length; i++) {
        cases.add(one(rounds, i, "%s, tell → handled, %s".formatted(noise.label(), HANDLED[i])));
      }
      for (int i = 0; i < RESTARTED.length; i++) {
        String name = "%s, failed → runs again, %s".formatted(noise.label(), RESTARTED[i]);
        cases.add(one(rounds, HANDLED.length + i, name));
      }
      return cases;
    }
  }

  private static Case one(Rounds rounds, int figure, String name) {
    Map<String, Measurement> peers = new LinkedHashMap<>();
    peers.put(UNLOADED, rounds.of(UNLOADED, figure));
    peers.put(TOGETHER, rounds.of(TOGETHER, figure));
    return new Case(name, "µs", Better.LOWER, rounds.of(APART, figure), peers);
  }
}
