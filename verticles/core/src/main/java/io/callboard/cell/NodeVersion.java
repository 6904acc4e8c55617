package io.callboard.cell;

import io.callboard.store.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/**
 * The version of Callboard that a node runs. Every member publishes it, so that the progress of a
 * rolling upgrade can be seen.
 */
public final class NodeVersion {
  /** Key of the member fact that holds the version. */
  public static final String FACT = "callboard.version";

  private static final String FILE = "/io/callboard/release.properties";
  private static final String VERSION = read();

  private NodeVersion() {}

  /** Returns the version of this Callboard, from Maven. */
  public static String version() {
    return VERSION;
  }

  /**
   * Returns the version of a member's node; empty if it has published none, as versions before this
   * fact did not.
   */
  public static Optional<String> of(Member member) {
    return Optional.ofNullable(member.facts().get(FACT));
  }

  private static String read() {
    try (InputStream in = NodeVersion.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(
            "%s is missing from the class path: pack the resources of callboard-core, too"
                .formatted(FILE));
      }
      Properties written = new Properties();
      written.load(in);
      return written.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
