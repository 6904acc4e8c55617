package io.callboard.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Trial that a run puts on the nodes and judges afterwards. */
interface Trial extends AutoCloseable {
  /** Begins, and waits until everything works. */
  void begin() throws Exception;

  /** Returns whether there is nothing left for faults to harm. */
  default boolean isOver() throws Exception {
    return false;
  }

  /** Returns faults of this trial alone, beside those of the scenario. */
  default List<Fault> faults() {
    return List.of();
  }

  /** Ends the load while the nodes run, and judges what came of it. */
  void judge(Verdict verdict) throws Exception;

  /** Returns how much was accepted. */
  long accepted();

  /** Judges what the processes have left once all have stopped. */
  void judgeLogs(List<Path> servers, Verdict verdict) throws IOException;
}
