package io.callboard.bench;

import io.callboard.bench.Case.Better;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds in which contenders take turns, each once a round, first in rounds that only warm up. So
 * other activity of the machine affects all of them.
 */
final class Rounds {
  private final Stage stage;
  private int warmups;
  private int repetitions;
  private final Map<String, Sample> contenders = new LinkedHashMap<>();
  private final Map<String, List<double[]>> samples = new LinkedHashMap<>();

  /** Repetition of one contender. */
  interface Sample {
    /**
     * @return its figures, the same number and order each time
     */
    double[] take(boolean warmup) throws Exception;
  }

  Rounds(Stage stage) {
    this.stage = stage;
    this.warmups = stage.warmups();
    this.repetitions = stage.repetitions();
  }

  /** Sets the number of rounds that only warm up, instead of the stage's. */
  Rounds warmups(int rounds) {
    warmups = rounds;
    return this;
  }

  /** Sets the number of measured rounds, instead of the stage's. */
  Rounds repetitions(int rounds) {
    repetitions = rounds;
    return this;
  }

  Rounds with(String contender, Sample sample) {
    if (contenders.putIfAbsent(contender, sample) != null) {
      throw new IllegalArgumentException("there are two contenders named " + contender);
    }
    return this;
  }

  /** Adds a contender under load, whose figure is a rate. */
  Rounds with(String contender, Load load) {
    return with(contender, warmup -> new double[] {load.rate(stage.time(warmup))});
  }

  /** Adds a contender under load that is one of many, and whose rate shows quickly. */
  Rounds brief(String contender, Load load) {
    return with(contender, warmup -> new double[] {load.rate(stage.moment(warmup))});
  }

  Rounds play() throws Exception {
    for (int round = -warmups; round < repetitions; round++) {
      for (Map.Entry<String, Sample> contender : contenders.entrySet()) {
        double[] figures = contender.getValue().take(round < 0);
        Progress.say(contender.getKey(), round, figures);
        if (round >= 0) {
          samples.computeIfAbsent(contender.getKey(), name -> new ArrayList<>()).add(figures);
        }
      }
    }
    return this;
  }

  /** Returns one contender's figure of that index. */
  Measurement of(String contender, int figure) {
    List<double[]> taken = samples.get(contender);
    if (taken == null) {
      throw new IllegalArgumentException("there is no contender " + contender);
    }
    return Measurement.of(taken.stream().map(figures -> figures[figure]).toList());
  }

  /** Returns a case of rates: our contender against its peers. */
  Case rates(String name, String unit, String ours, List<String> peers) {
    return compared(name, unit, Better.HIGHER, ours, peers);
  }

  /** Returns a case of costs: our contender against its peers. */
  Case costs(String name, String unit, String ours, List<String> peers) {
    return compared(name, unit, Better.LOWER, ours, peers);
  }

  /** Returns a case of costs, the figures of that index. */
  Case costs(String name, String unit, String ours, List<String> peers, int figure) {
    return compared(name, unit, Better.LOWER, ours, peers, figure);
  }

  private Case compared(String name, String unit, Better better, String ours, List<String> peers) {
    return compared(name, unit, better, ours, peers, 0);
  }

  private Case compared(
      String name, String unit, Better better, String ours, List<String> peers, int figure) {
    Map<String, Measurement> theirs = new LinkedHashMap<>();
    peers.forEach(peer -> theirs.put(peer, of(peer, figure)));
    return new Case(name, unit, better, of(ours, figure), theirs);
  }
}
