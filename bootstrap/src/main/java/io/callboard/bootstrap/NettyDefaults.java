package io.callboard.bootstrap;

import java.util.Map;

/**
 * Defaults of Netty in this process, which system properties of the command line override.
 *
 * <p>Netty does not register its events with the Flight Recorder, which happens with its first
 * buffer and blocks an event loop at the start of the node, up to two seconds on a busy machine.
 * Nor does it look for its native transports, which are not in the jar: newer versions of Java warn
 * of the attempt.
 */
final class NettyDefaults {
  private static final Map<String, String> PROPERTIES =
      Map.of("io.netty.jfr.enabled", "false", "io.netty.transport.noNative", "true");

  private NettyDefaults() {}

  /** Sets the defaults; must be called before any use of Netty. */
  static void set() {
    PROPERTIES.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
  }
}
