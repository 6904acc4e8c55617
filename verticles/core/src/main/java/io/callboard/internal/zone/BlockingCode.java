package io.callboard.internal.zone;

import java.util.Optional;
import java.util.stream.Stream;

/** Search for the name of the code that blocks a thread. */
final class BlockingCode {
  /** Code that calls other code: its caller is to blame. */
  private static final String[] CARRIERS = {
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "io.netty.",
    "io.vertx.",
    BlockingCode.class.getPackageName() + "."
  };

  private BlockingCode() {}

  /**
   * Returns the innermost frame that belongs neither to the JDK nor to code that carries all other
   * (Netty, Vert.x, the zones); else the innermost.
   *
   * @param frames the stack of the thread; empty if it has ended, or answered meanwhile
   */
  static Optional<String> code(StackTraceElement[] frames) {
    return Stream.of(frames)
        .filter(frame -> !isCarrier(frame.getClassName()))
        .findFirst()
        .or(() -> Stream.of(frames).findFirst())
        .map(StackTraceElement::toString);
  }

  private static boolean isCarrier(String className) {
    return Stream.of(CARRIERS).anyMatch(className::startsWith);
  }
}
