package io.callboard.bootstrap;

/**
 * Keeps Netty from registering its events with the Flight Recorder when it makes its first buffer,
 * which blocks an event loop while the node starts: for up to two seconds on a busy machine. Who
 * wants them sets {@code -Dio.netty.jfr.enabled=true}.
 */
final class NettyEvents {
  private static final String ENABLED = "io.netty.jfr.enabled";

  private NettyEvents() {}

  /** Before anything of Netty is used. */
  static void disable() {
    if (System.getProperty(ENABLED) == null) {
      System.setProperty(ENABLED, "false");
    }
  }
}
