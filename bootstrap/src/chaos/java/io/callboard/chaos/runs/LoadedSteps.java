package io.callboard.chaos.runs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Steps of the workflow whose instances a chaos run starts: a line, a fork of three, a join. */
public final class LoadedSteps {
  /** Number of the steps. */
  public static final int COUNT = 10;

  private LoadedSteps() {}

  /** Returns the steps by id, each with those that it waits for. */
  public static Map<String, List<String>> sources() {
    Map<String, List<String>> sources = new LinkedHashMap<>();
    sources.put("s0", List.of());
    sources.put("s1", List.of("s0"));
    sources.put("s2", List.of("s1"));
    sources.put("s3", List.of("s2"));
    sources.put("s4", List.of("s2"));
    sources.put("s5", List.of("s2"));
    sources.put("s6", List.of("s3", "s4", "s5"));
    sources.put("s7", List.of("s6"));
    sources.put("s8", List.of("s7"));
    sources.put("s9", List.of("s8"));
    return sources;
  }

  /** Returns the number of a step. */
  public static int number(String step) {
    return Integer.parseInt(step.substring(1));
  }
}
