package io.callboard.zone;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/** Access to virtual threads, by reflection, for code that also runs on a Java without them. */
public final class VirtualThreads {
  private static final int SINCE = 21;

  private VirtualThreads() {}

  /** Returns whether this Java has virtual threads: version 21 or newer. */
  public static boolean available() {
    return Runtime.version().feature() >= SINCE;
  }

  /**
   * Returns {@code Thread.ofVirtual().name(prefix, 0).factory()}.
   *
   * @throws UnsupportedOperationException if this Java has none
   */
  public static ThreadFactory named(String prefix) {
    if (!available()) {
      throw new UnsupportedOperationException(
          "virtual threads need Java 21 or newer, not Java " + Runtime.version());
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> builder = Class.forName("java.lang.Thread$Builder");
      Class<?> virtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
      MethodHandle begin =
          lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(virtual));
      MethodHandle name =
          lookup.findVirtual(
              builder, "name", MethodType.methodType(builder, String.class, long.class));
      MethodHandle factory =
          lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class));
      return (ThreadFactory) factory.invoke(name.invoke(begin.invoke(), prefix, 0L));
    } catch (Throwable e) {
      throw new IllegalStateException(
          "the API of virtual threads in Java %s differs from that of Java %d"
              .formatted(Runtime.version(), SINCE),
          e);
    }
  }
}
