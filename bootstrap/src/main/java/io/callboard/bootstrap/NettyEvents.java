package io.callboard.bootstrap;

/**
 * Switch that keeps Netty from registering its events with the Flight Recorder, which happens with
 * its first buffer and blocks an event loop at the start of the node, up to two seconds on a busy
 * machine. To get the events, set {@code -Dio.netty.jfr.enabled=true}.
 */
final class NettyEvents {
  private static final String ENABLED = "io.netty.jfr.enabled";

  private NettyEvents() {}

  /** Disables the events; must be called before any use of Netty. */
  static void disable() {
    if (System.getProperty(ENABLED) == null) {
      System.setProperty(ENABLED, "false");
    }
  }
}
