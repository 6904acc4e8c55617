package io.callboard.cell;

import io.callboard.store.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/**
 * Which Callboard a node runs. Every member tells it: so a rolling upgrade shows how far it is.
 * Immutable.
 */
public final class Release {
  /** The fact of a member that holds its version. */
  public static final String FACT = "callboard.version";

  private static final String FILE = "/io/callboard/release.properties";
  private static final String VERSION = read();

  private Release() {}

  /** Of this Callboard, as Maven has it. */
  public static String version() {
    return VERSION;
  }

  /** Of the node of a member; empty if it is from before members told it, or has told nothing. */
  public static Optional<String> of(Member member) {
    return Optional.ofNullable(member.facts().get(FACT));
  }

  private static String read() {
    try (InputStream in = Release.class.getResourceAsStream(FILE)) {
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
