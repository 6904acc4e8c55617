package io.callboard.soak;

/** Kind of fault, with its frequency relative to the others. */
enum Fault {
  /** Absence of a fault: a message that is handled. */
  NONE(0),
  THROW(30),
  FAILED_FUTURE(20),
  FAILED_LATER(15),
  /** A handler without an end. */
  HANG(4),
  /** An exception on the actor's context. */
  CONTEXT(15),
  /** A thread that is blocked for a while. */
  BLOCK(2),
  /** A cause that escalates by the rules. */
  ESCALATE(2),
  /** A cause after which a volatile actor goes on by the rules. */
  RESUME(5),
  STOP_SELF(3),
  FAILED_START(8),
  HANGING_START(2),
  BLOCKED_START(1),
  SUSPEND(3),
  RESTART(5),
  SUSPEND_ZONE(1),
  RESTART_ZONE(1),
  UNDEPLOY(1);

  final int weight;

  Fault(int weight) {
    this.weight = weight;
  }

  static final class Escalating extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Escalating() {
      super("escalates", null, false, false);
    }
  }

  static final class Resumable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Resumable() {
      super("goes on", null, false, false);
    }
  }
}
