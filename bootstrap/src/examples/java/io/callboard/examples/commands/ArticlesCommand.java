package io.callboard.examples.commands;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.examples.articles.ArticleSource;
import io.callboard.examples.articles.ArticlesDemo;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.model.PollersException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command of the example of sources: indexes articles that a source announces. */
@Command(
    name = "articles",
    sortOptions = false,
    description =
        "Indexes articles, a workflow for each message of a source: a directory, a topic of Kafka or a stream of Redis. An article is fetched, its text extracted and annotated, indexed, and printed; then its message is acknowledged. Prints the address of the dashboard; Ctrl-C stops it. Kill it, and run it again: no article is lost, and each is once in the index.")
final class ArticlesCommand implements Callable<Integer> {
  private static final int MOST = 10_000;

  @Option(
      names = "--articles",
      paramLabel = "N",
      defaultValue = "40",
      description = "Number of articles (default: ${DEFAULT-VALUE}).")
  int articles = 40;

  @Option(
      names = "--documents",
      paramLabel = "DIR",
      description =
          "Directory with the documents of which articles are made, again and again if there are fewer (default: those that come with the example).")
  @Nullable Path documents;

  @Option(
      names = "--via",
      paramLabel = "KIND",
      defaultValue = "directory",
      description =
          "Kind of the source: directory, kafka or redis-stream (default: ${DEFAULT-VALUE}). The queue is called callboard-articles; a topic must be there.")
  String via = "directory";

  @Option(
      names = "--url",
      paramLabel = "ADDRESS",
      description = "Where it is: HOST:PORT of a broker of Kafka, or redis://HOST:PORT.")
  @Nullable String url;

  @Option(
      names = "--crash",
      description =
          "Runs in a process of its own, which is killed when half of the articles are printed, and started again.")
  boolean crash;

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
          "Data directory of the node, with the site and the index in articles (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Option(names = "--exit", description = "Exits once all articles are done.")
  boolean exit;

  /** Ends with its standard input, which is a pipe from the process that started it. */
  @Option(names = "--worker", hidden = true)
  boolean worker;

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    ArticleSource source = check();
    if (crash) {
      return new ArticlesCrash(this).run();
    }
    NodeLog.configure(data, "text"); // before the first logger is created
    ArticlesDemo demo =
        new ArticlesDemo(
            data.resolve("articles"), documents, articles, source, url == null ? "" : url);
    SourcesOptions sources = sources(demo);
    if (worker) {
      ArticlesCrash.endWithInput();
    }
    return new ExampleProcess("articles", data, httpPort, sources, exit, console.command().getOut())
        .run(demo);
  }

  private ArticleSource check() {
    if (articles < 1 || articles > MOST) {
      throw usage("--articles is 1 to %d, not %d".formatted(MOST, articles));
    } else if (documents != null && !Files.isDirectory(documents)) {
      throw usage("--documents %s is no directory".formatted(documents));
    } else if (!ArticleSource.kinds().contains(via)) {
      throw usage("--via is one of %s, not %s".formatted(ArticleSource.kinds(), via));
    }
    ArticleSource source = ArticleSource.of(via);
    boolean remote = source != ArticleSource.DIRECTORY;
    if (remote && url == null) {
      throw usage("--via %s needs --url, the address of the server".formatted(via));
    } else if (!remote && url != null) {
      throw usage("--url belongs to --via kafka or redis-stream");
    }
    return source;
  }

  private static SourcesOptions sources(ArticlesDemo demo) throws Exception {
    try {
      return demo.sources();
    } catch (PollersException e) {
      throw StartupFailure.sources("--url", e, "");
    }
  }

  private ParameterException usage(String what) {
    return new ParameterException(console.command(), what);
  }
}
