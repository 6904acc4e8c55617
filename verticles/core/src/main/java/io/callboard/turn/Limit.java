package io.callboard.turn;

/** A bound of the time for something that nearly always ends before. */
final class Limit extends TimeoutWheel.Entry {
  private final TimeoutWheel wheel;
  private final Runnable over;

  Limit(TimeoutWheel wheel, Runnable over) {
    this.wheel = wheel;
    this.over = over;
  }

  /** What it is for has ended. */
  void reached() {
    boolean unused = wheel.remove(this);
  }

  @Override
  void expired() {
    over.run();
  }
}
