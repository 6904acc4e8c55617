package io.callboard.bench;

/** Factory of volatile actors: ours, or their counterparts of a peer. */
interface Troupe extends AutoCloseable {
  /** Starts one; {@code handler} is given one signal at a time. */
  Target start(Handler handler) throws Exception;

  @Override
  void close();

  /** Behaviour of an actor. */
  interface Handler {
    void handle(Signal signal, Mouth here);
  }

  /** Means by which an actor tells another a message. */
  interface Mouth {
    void tell(Target to, Signal signal);
  }

  /** An actor that was started, and how plain code tells it. */
  interface Target {
    void tell(Signal signal);
  }
}
