package io.callboard.bootstrap;

import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.ConfigSources;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.chaos.SeededBug;
import io.callboard.chaos.Workload;
import io.callboard.chaos.evidence.StepNotes;
import io.callboard.chaos.hosts.ShiftedTime;
import io.callboard.chaos.sources.ArticleNotes;
import io.callboard.chaos.sources.SourceStage;
import io.callboard.grid.Grid;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.store.Store;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The node of the built jar, with the workload of the chaos tool beside its jobs. */
public final class ChaosNode {
  private static final int START_LIMIT_S = 60;

  private ChaosNode() {}

  /**
   * Runs a node.
   *
   * @param arguments arguments of a node
   */
  public static void main(String[] arguments) throws Exception {
    NodeCommand options = new NodeCommand();
    var unused = new CommandLine(options).parseArgs(arguments);
    NodeLog.configure(options.data, options.logFormat); // before the first logger is created
    List<SourceConfig> sources =
        ConfigSources.of(arguments, Map.of()).messageSources(List.of()).sources();
    options.sources = new SourcesOptions(sources, SeededBug.ofThisProcess().kinds());
    Node node =
        Node.start(
            options,
            Map.of(),
            line -> {
              System.out.println("chaos node: " + line);
              Runtime.getRuntime().halt(3);
            },
            ChaosNode::adapt);
    Runtime.getRuntime().addShutdownHook(new Thread(node::close, "stop"));
    try {
      StepNotes notes = StepNotes.open(node.callboard().vertx(), options.nodeName());
      node.part(Workflows.class).workers().handle(StepNotes.NAME, notes);
      String articles = System.getProperty(SourceStage.PROPERTY);
      if (articles != null) {
        ArticleNotes lines =
            ArticleNotes.open(node.callboard().vertx(), options.nodeName(), Path.of(articles));
        node.part(Workflows.class).workers().handle(ArticleNotes.NAME, lines);
      }
      Future<Void> hosted = Workload.host(node.callboard(), node.part(Grid.class));
      var done = hosted.await(START_LIMIT_S, TimeUnit.SECONDS);
      SeededBug.ofThisProcess().befall(node.callboard());
      Files.createFile(Path.of(System.getProperty("chaos.ready")));
    } catch (Throwable e) {
      System.out.println("chaos node: the workload cannot be hosted: " + e);
      Runtime.getRuntime().halt(4);
    }
    System.out.println("chaos node " + options.nodeName() + " is ready: " + node.url());
  }

  private static void adapt(CallboardOptions options) {
    Supplier<Store> store = options.store();
    SeededBug bug = SeededBug.ofThisProcess();
    options.store(() -> bug.around(store.get())).time(ShiftedTime.ofThisProcess());
  }
}
