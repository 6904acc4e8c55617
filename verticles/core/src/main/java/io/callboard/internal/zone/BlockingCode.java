package io.callboard.internal.zone;

import java.util.Optional;
import java.util.stream.Stream;

/** Names the code that blocks a thread. */
final class BlockingCode {
  /** What others call: who called it is to blame. */
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
   * The innermost frame that is neither the JDK's nor of what carries all code (Netty, Vert.x, the
   * zones); else the innermost.
   *
   * @param frames of the thread; empty if it has ended, or answered meanwhile
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
