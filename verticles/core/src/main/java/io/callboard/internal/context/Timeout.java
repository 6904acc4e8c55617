package io.callboard.internal.context;

/** A bound of the time for something that nearly always ends before. */
public final class Timeout extends TimeoutWheel.Entry {
  private final TimeoutWheel wheel;
  private final Runnable over;

  public Timeout(TimeoutWheel wheel, Runnable over) {
    this.wheel = wheel;
    this.over = over;
  }

  /** What it is for has ended. */
  public void reached() {
    boolean unused = wheel.remove(this);
  }

  @Override
  public void expired() {
    over.run();
  }
}
