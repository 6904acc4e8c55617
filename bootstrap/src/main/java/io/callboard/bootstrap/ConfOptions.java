package io.callboard.bootstrap;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every operator's command has: a file for its options. */
final class ConfOptions {
  @Option(
      names = "--conf",
      paramLabel = "FILE",
      description = "A configuration file, JSON or YAML, for these options.")
  @Nullable Path conf;
}
