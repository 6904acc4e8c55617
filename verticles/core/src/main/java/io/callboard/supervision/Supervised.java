package io.callboard.supervision;

import java.time.Duration;

/** What a supervisor needs of its child. Called on the supervisor's context. */
public interface Supervised {
  /** For the log. */
  String label();

  SupervisionOptions supervision();

  /** A restart is due in {@code delay}. */
  void willRestart(Duration delay);

  /** Start a new object now. */
  void restart();

  /** The supervisor gave up. */
  void rest(String why);
}
