package io.callboard.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.AccessOptions;
import io.callboard.bootstrap.config.ConfZones;
import io.callboard.bootstrap.config.EnvironmentVariables;
import io.callboard.bootstrap.config.LauncherConf;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.cell.LocalMachine;
import io.callboard.codecs.Json;
import io.callboard.store.StoreException;
import io.callboard.zone.ZoneOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Launcher;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Vert.x command line with Callboard: every Vert.x it starts runs a {@link Callboard}, in
 * memory, or, with {@code -cluster}, in a cell on ZooKeeper.
 *
 * <p>Keys of {@code -conf} that it reads: {@code zookeeper} (else the environment's {@code
 * CALLBOARD_ZOOKEEPER}, else 127.0.0.1:2181), {@code zookeeper-auth-file} (or the environment's
 * {@code CALLBOARD_ZOOKEEPER_AUTH}), {@code zookeeper-secure} with its stores, {@code cell}, {@code
 * name}, {@code session-timeout}, {@code zones}. A {@code -conf} that cannot be read, or gives one
 * of them a wrong value, ends the process with code 2.
 */
public final class CallboardLauncher extends Launcher {
  private static final int DEPLOY_FAILED = 15;
  private static final String USUAL_ZOOKEEPER = "127.0.0.1:2181";

  private JsonObject conf = new JsonObject();
  private @Nullable Clustering clustering;
  private @Nullable ZooKeeperOptions cell;

  /** Runs the Vert.x command line. */
  public static void main(String[] arguments) {
    NettyDefaults.set();
    if (System.getProperty("vertx.logger-delegate-factory-class-name") == null) {
      System.setProperty(
          "vertx.logger-delegate-factory-class-name",
          "io.vertx.core.logging.SLF4JLogDelegateFactory");
    }
    try {
      EnvironmentVariables.check(System.getenv());
      LauncherConf.check(arguments).forEach(CallboardLauncher::say);
    } catch (StartupFailure startupFailure) {
      fail(startupFailure.exitCode(), String.valueOf(startupFailure.getMessage()));
    }
    new CallboardLauncher().dispatch(arguments);
  }

  @Override
  public void afterConfigParsed(@Nullable JsonObject config) {
    conf = config == null ? new JsonObject() : config;
  }

  @Override
  public void beforeStartingVertx(VertxOptions options) {
    if (options.getEventBusOptions().getHost() == null
        || options.getEventBusOptions().getHost().equals("localhost")) {
      options.getEventBusOptions().setHost("127.0.0.1");
    }
  }

  @Override
  public VertxBuilder createVertxBuilder(VertxOptions options) {
    VertxBuilder builder = Vertx.builder().with(options);
    if (isClustered()) {
      connect();
      if (clustering != null) {
        return builder.withClusterManager(clustering.manager());
      }
    }
    return builder;
  }

  /**
   * Returns whether {@code -cluster} is on the command line, as {@link VertxOptions} do not show
   * it.
   */
  private boolean isClustered() {
    return getProcessArguments().stream()
        .anyMatch(
            argument ->
                argument.equals("-cluster")
                    || argument.equals("--cluster")
                    || argument.equals("-ha"));
  }

  private void connect() {
    String connect =
        conf.getString(
            "zookeeper", System.getenv().getOrDefault("CALLBOARD_ZOOKEEPER", USUAL_ZOOKEEPER));
    try {
      cell =
          new ZooKeeperOptions(
              connect,
              conf.getString("cell", ZooKeeperOptions.DEFAULT_CELL),
              Duration.parse(conf.getString("session-timeout", "PT10S")),
              ZooKeeperOptions.DEFAULT_CONNECT_TIMEOUT,
              access());
      clustering = Clustering.connect(cell);
    } catch (StoreException e) {
      fail(
          StartupFailure.FAILED,
          e.getMessage()
              + "; start a node with bootstrap/bin/callboard, or name an ensemble with -conf"
              + " '{\"zookeeper\":\"HOST:PORT\"}'");
    } catch (StartupFailure
        | IllegalArgumentException
        | java.time.format.DateTimeParseException e) {
      fail(StartupFailure.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private ZooKeeperAccess access() {
    AccessOptions options = new AccessOptions();
    options.authFile = file("zookeeper-auth-file");
    options.secure = conf.getBoolean("zookeeper-secure", false);
    options.trustStore = file("zookeeper-trust-store");
    options.trustStorePasswordFile = file("zookeeper-trust-store-password-file");
    options.keyStore = file("zookeeper-key-store");
    options.keyStorePasswordFile = file("zookeeper-key-store-password-file");
    return options.access(System.getenv(), options.authFile != null);
  }

  private @Nullable Path file(String key) {
    String name = conf.getString(key);
    return name == null ? null : Path.of(name);
  }

  @Override
  public void afterStartingVertx(Vertx vertx) {
    CallboardOptions options = new CallboardOptions().name(name());
    ZooKeeperOptions joined = cell;
    if (joined != null) {
      options.store(() -> new ZooKeeperStore(joined));
    }
    try {
      zones().forEach(options::zone);
      var callboard = Callboard.create(vertx, options).await(30, TimeUnit.SECONDS);
      var unused = callboard.closed().onFailure(cause -> escalated(vertx, cause));
    } catch (Exception e) {
      fail(StartupFailure.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** Ends the process after a failure that no supervisor could handle; the actors have stopped. */
  private void escalated(Vertx vertx, Throwable cause) {
    vertx
        .close()
        .onComplete(
            closed -> {
              afterStoppingVertx();
              fail(StartupFailure.FAILED, String.valueOf(cause.getMessage()));
            });
  }

  private Map<String, ZoneOptions> zones() {
    JsonObject configured = conf.getJsonObject(ConfZones.KEY);
    if (configured == null) {
      return Map.of();
    }
    JsonNode tree = Json.parse("zones", configured.encode().getBytes(StandardCharsets.UTF_8));
    return ConfZones.read("-conf", tree);
  }

  /** Returns a name unique to this process, so that many can run on one machine. */
  private String name() {
    String host = LocalMachine.name().replace(':', '-');
    String usual = "%.40s-%d".formatted(host, ProcessHandle.current().pid());
    return conf.getString("name", usual);
  }

  @Override
  public void beforeDeployingVerticle(DeploymentOptions deploymentOptions) {
    if (deploymentOptions.getConfig() == null) {
      deploymentOptions.setConfig(new JsonObject());
    }
  }

  @Override
  public void handleDeployFailed(
      Vertx vertx, String verticle, DeploymentOptions options, Throwable cause) {
    String why =
        cause instanceof ClassNotFoundException
            ? "there is no class %s on the class path; add its jar with -cp".formatted(verticle)
            : cause instanceof ClassCastException
                ? "%s is no verticle: extend an actor class of Callboard, or io.vertx.core.VerticleBase"
                    .formatted(verticle)
                : String.valueOf(cause.getMessage());
    vertx.close().onComplete(closed -> fail(DEPLOY_FAILED, why));
  }

  @Override
  public void beforeStoppingVertx(Vertx vertx) {
    Callboard.find(vertx)
        .ifPresent(
            callboard -> {
              var closed = callboard.close().await();
            });
  }

  @Override
  public void afterStoppingVertx() {
    if (clustering != null) {
      clustering.close();
    }
  }

  private static void say(String line) {
    PrintStream err = System.err;
    err.println("vertx: " + line);
    err.flush();
  }

  private static void fail(int code, String line) {
    say(line);
    Runtime.getRuntime().halt(code);
  }
}
