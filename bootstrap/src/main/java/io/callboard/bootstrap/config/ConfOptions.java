package io.callboard.bootstrap.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option of every operator's command: a file with its options. */
public final class ConfOptions {
  @Option(
      names = "--conf",
      paramLabel = "FILE",
      description = "Configuration file with these options, JSON or YAML.")
  @Nullable Path conf;
}
