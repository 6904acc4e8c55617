package io.callboard.cell;

import io.callboard.supervision.Causes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Name of the machine that this process runs on, which nodes and machines are named after unless
 * they are given a name. It need not resolve.
 */
public final class LocalMachine {
  /**
   * File with the host name on Linux; read without a lookup in a name service, which may take long.
   */
  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private LocalMachine() {}

  /** Holder of the name, read once in the life of the process. */
  private static final class Read {
    private static final String NAME = usable(read());

    private static String read() {
      if (Files.isReadable(LINUX)) {
        try {
          return Files.readString(LINUX);
        } catch (IOException e) {
          log().debug("{} cannot be read", LINUX, Causes.readable(e));
        }
      }
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        log()
            .warn(
                "the host name of this machine is unknown, so that it counts as the same machine as others without a name (set it with --machine): {}",
                Causes.message(e));
        return "localhost";
      }
    }

    /** Not before it is needed: a node is named before its log is configured. */
    private static Logger log() {
      return LoggerFactory.getLogger(LocalMachine.class);
    }
  }

  /**
   * Returns the name, as a {@link io.callboard.placement.Locality} can have it; {@code localhost}
   * if it is not known.
   */
  public static String name() {
    return Read.NAME;
  }

  /** Returns {@code name}, changed to what the name of a machine may be. */
  public static String usable(String name) {
    String cut = name.strip().replaceAll("[^A-Za-z0-9._:-]", "-").replaceFirst("^[._:-]+", "");
    return cut.isEmpty() ? "localhost" : cut.substring(0, Math.min(cut.length(), 253));
  }
}
