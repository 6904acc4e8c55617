package io.callboard.bench;

/** Starts actors in memory: ours, or what a peer has in their place. */
interface Troupe extends AutoCloseable {
  /** Starts one; {@code handler} is given one signal at a time. */
  Target start(Handler handler) throws Exception;

  @Override
  void close();

  /** What an actor does. */
  interface Handler {
    void handle(Signal signal, Mouth here);
  }

  /** How one actor tells another. */
  interface Mouth {
    void tell(Target to, Signal signal);
  }

  /** An actor that was started, and how plain code tells it. */
  interface Target {
    void tell(Signal signal);
  }
}
