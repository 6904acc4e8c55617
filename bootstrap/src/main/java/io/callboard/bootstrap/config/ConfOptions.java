package io.callboard.bootstrap.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every operator's command has: a file for its options. */
public final class ConfOptions {
  @Option(
      names = "--conf",
      paramLabel = "FILE",
      description = "A configuration file, JSON or YAML, for these options.")
  @Nullable Path conf;
}
