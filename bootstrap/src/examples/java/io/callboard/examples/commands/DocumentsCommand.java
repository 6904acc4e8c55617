package io.callboard.examples.commands;

import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.examples.documents.DocumentsDemo;
import io.callboard.pollers.SourcesOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command of the workflow example: indexes a directory of documents, a workflow for each. */
@Command(
    name = "workflow",
    sortOptions = false,
    description =
        "Indexes a directory of documents, a workflow for each: HTML is cleaned, languages and names are found, Lucene indexes, a report is written; some steps fail on purpose. Prints the address of the dashboard; Ctrl-C stops it. Kill it, and run it again: what had not ended goes on.")
final class DocumentsCommand implements Callable<Integer> {
  private static final int MOST = 10_000;

  @Option(
      names = "--documents",
      paramLabel = "DIR",
      description =
          "Directory whose files are indexed (default: fifteen documents that come with the example).")
  @Nullable Path documents;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of documents (default: ${DEFAULT-VALUE}).")
  int most = 1_000;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "HTTP port of the dashboard, on loopback; 0 for any free port (default: ${DEFAULT-VALUE}).")
  int httpPort;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description =
          "Data directory of the node, with the index and the report in documents (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Option(names = "--exit", description = "Exits once the report is written.")
  boolean exit;

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    if (documents != null && !Files.isDirectory(documents)) {
      throw usage("--documents %s is no directory".formatted(documents));
    } else if (most < 1 || most > MOST) {
      throw usage("--most is 1 to %d, not %d".formatted(MOST, most));
    }
    NodeLog.configure(data, "text"); // before the first logger is created
    DocumentsDemo demo = new DocumentsDemo(data.resolve("documents"), documents, most);
    return new ExampleProcess(
            "documents", data, httpPort, SourcesOptions.NONE, exit, console.command().getOut())
        .run(demo);
  }

  private ParameterException usage(String what) {
    return new ParameterException(console.command(), what);
  }
}
