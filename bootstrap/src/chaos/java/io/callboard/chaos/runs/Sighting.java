package io.callboard.chaos.runs;

/**
 * Process of a run that was seen in {@code /proc}.
 *
 * @param key key of its job
 * @param run its number
 * @param atNs time since the start of the machine at which it was alive
 */
public record Sighting(String key, int run, long atNs) {
  /** Returns the name of the run. */
  public String id() {
    return key + "/" + run;
  }
}
