package io.callboard.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;

/**
 * Artifacts beside the jars that only {@code mvn verify} makes, not {@code -Pfast} or {@code
 * -Dtest=…}. Tests of them are skipped without, and say so; with {@code
 * CALLBOARD_REQUIRE_PUBLISHED=true} in the environment they fail instead.
 */
final class Published {
  /** One line is enough for all that is missing. */
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private Published() {}

  /** Returns an artifact that exists, such as a bill of materials. */
  static Path required(Path artifact) {
    return Files.isRegularFile(artifact) ? artifact : missing("there is no " + artifact);
  }

  /** Returns an artifact that was made with the present jar of its module, or after it. */
  static Path required(Path artifact, Path jar) {
    return isOlder(required(artifact), jar)
        ? missing("%s is older than %s".formatted(artifact, jar.getFileName()))
        : artifact;
  }

  private static boolean isOlder(Path artifact, Path jar) {
    try {
      return Files.getLastModifiedTime(artifact).compareTo(Files.getLastModifiedTime(jar)) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path missing(String why) {
    String line = "what is published is NOT tested: %s; mvn verify makes it".formatted(why);
    if (Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_PUBLISHED"))) {
      throw new AssertionError(line);
    }
    if (SAID.compareAndSet(false, true)) {
      System.err.println(line);
    }
    return Assumptions.abort(line);
  }
}
