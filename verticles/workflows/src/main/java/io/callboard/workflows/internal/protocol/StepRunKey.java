package io.callboard.workflows.internal.protocol;

/**
 * Identity of one run of a step.
 *
 * @param instance id of the instance
 * @param step id of the step
 * @param run number of the run: 1, 2, 3… for each step of an instance, never reused; it leaps when
 *     the instance is restored to an earlier event
 */
public record StepRunKey(String instance, String step, int run) implements Comparable<StepRunKey> {
  @Override
  public int compareTo(StepRunKey other) {
    int byInstance = instance.compareTo(other.instance);
    int byStep = byInstance != 0 ? byInstance : step.compareTo(other.step);
    return byStep != 0 ? byStep : Integer.compare(run, other.run);
  }

  @Override
  public String toString() {
    return instance + "/" + step + "/" + run;
  }
}
