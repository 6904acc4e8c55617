package io.callboard.supervision;

import java.util.function.Supplier;

/** Causes whose own methods fail, for tests of whatever asks them. */
public final class HostileCauses {
  private HostileCauses() {}

  private static class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    Hostile() {
      super("hostile");
    }
  }

  /** Kind of hostile cause. */
  public enum Kind {
    MESSAGE_THROWS(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public String getMessage() {
                throw new IllegalStateException("no message");
              }
            }),
    MESSAGE_OVERFLOWS(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              @SuppressWarnings("InfiniteRecursion")
              public String getMessage() {
                return getMessage() + "!";
              }
            }),
    TEXT_THROWS(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public String toString() {
                throw new AssertionError("no text");
              }
            }),
    TEXT_IS_NULL(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public String getMessage() {
                return null;
              }

              @Override
              public String toString() {
                return null;
              }
            }),
    STACK_THROWS(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public StackTraceElement[] getStackTrace() {
                throw new IllegalStateException("no stack");
              }
            }),
    STACK_IS_NULL(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public StackTraceElement[] getStackTrace() {
                return null;
              }
            }),
    CAUSE_THROWS(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause");
              }
            }),
    CAUSE_IS_ITSELF(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public synchronized Throwable getCause() {
                return this;
              }
            }),
    CAUSES_ARE_ENDLESS(Endless::new),
    CAUSE_HAS_NO_MESSAGE(() -> new IllegalStateException("outer", MESSAGE_THROWS.make())),
    HASH_AND_EQUALITY_THROW(
        () ->
            new Hostile() {
              private static final long serialVersionUID = 1;

              @Override
              public int hashCode() {
                throw new IllegalStateException("no hash");
              }

              @Override
              public boolean equals(Object other) {
                throw new IllegalStateException("no equality");
              }
            });

    private final Supplier<RuntimeException> maker;

    Kind(Supplier<RuntimeException> maker) {
      this.maker = maker;
    }

    /** Returns a new cause of this kind. */
    public RuntimeException make() {
      return maker.get();
    }
  }

  private static final class Endless extends Hostile {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable getCause() {
      return new Endless();
    }
  }
}
