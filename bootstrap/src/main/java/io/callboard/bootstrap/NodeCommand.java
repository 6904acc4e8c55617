package io.callboard.bootstrap;

import io.callboard.archive.ArchiveUrl;
import io.callboard.bootstrap.config.CellOptions;
import io.callboard.bootstrap.config.ConfigSources;
import io.callboard.bootstrap.config.EffectiveSettings;
import io.callboard.bootstrap.config.HttpSettings;
import io.callboard.bootstrap.config.IsoDuration;
import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.cell.LocalMachine;
import io.callboard.dashboard.Setting;
import io.callboard.jobs.model.JobRetention;
import io.callboard.node.NodeOptions;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.placement.Locality;
import io.callboard.pollers.SourcesOptions;
import io.callboard.workflows.model.WorkflowRetention;
import io.callboard.workflows.model.WorkflowsOptions;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command that runs a node in the foreground; its options are the configuration of a node. */
@Command(
    name = "callboard",
    versionProvider = Version.class,
    sortOptions = false,
    description =
        "Runs a Callboard node: embedded ZooKeeper, job scheduler, REST API and dashboard.",
    footer = {
      "",
      "Each option is also a key of the configuration file and an environment variable,",
      "for example http-port and CALLBOARD_HTTP_PORT. The command line wins over the",
      "environment, which wins over the file.",
      "",
      "callboard COMMAND --help shows the options of a command."
    })
public final class NodeCommand implements Callable<Integer> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final int MOST_SLOTS = 10_000;
  private static final int MOST_JOBS_KEPT = 100_000;
  private static final int MOST_INSTANCES_KEPT = 100_000;
  private static final String NO_ARCHIVE = "none";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Name of this node (default: the one it had before with its data directory, at first the"
              + " host name).")
  @Nullable String name;

  @Option(
      names = "--app",
      paramLabel = "JAR[:JAR…]",
      description =
          "Jars of an application: the parts, kinds of sources and mergers that they offer as services"
              + " are those of this node, too; DIR/* for all jars of a directory (default: none).")
  @Nullable String app;

  @Option(
      names = "--machine",
      paramLabel = "NAME",
      description =
          "Machine this node runs on, or another unit that fails as one, such as a rack; the"
              + " standby of a role is placed on a different one (default: the host name).")
  @Nullable String machine;

  @Option(
      names = "--labels",
      paramLabel = "KEY=VALUE",
      split = ",",
      description = "Labels of this node, separated by commas; roles can require them.")
  Map<String, String> labels = Map.of();

  @Option(
      names = "--http-host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "Address on which HTTP listens (default: ${DEFAULT-VALUE}).")
  String httpHost = "127.0.0.1";

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "HTTP port; 0 for any free port (default: ${DEFAULT-VALUE}).")
  int httpPort = 8080;

  @Option(
      names = "--insecure",
      description =
          "Allows HTTP without authentication on an address that other machines can reach.")
  boolean insecure;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description =
          "Data directory: everything that must survive a restart (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data");

  @Option(
      names = "--new-cell",
      description =
          "Starts even if the store of the embedded ZooKeeper is empty, or ends before the last"
              + " transaction recorded in the data directory; continues with what the store holds.")
  boolean newCell;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,…][/CHROOT]",
      description = "ZooKeeper ensemble to join (default: an embedded ZooKeeper).")
  @Nullable String zookeeper;

  @Option(
      names = "--zookeeper-port",
      paramLabel = "PORT",
      description =
          "Port of the embedded ZooKeeper; 0 for any free port (default: the port it used before,"
              + " else 2181, else any free port).")
  @Nullable Integer zookeeperPort;

  @Mixin CellOptions cell = new CellOptions();

  private ZooKeeperAccess access = ZooKeeperAccess.OPEN;

  @Option(
      names = "--session-timeout",
      paramLabel = "DURATION",
      defaultValue = "PT10S",
      converter = IsoDuration.class,
      description =
          "Time without contact to ZooKeeper after which a node is considered dead (default:"
              + " ${DEFAULT-VALUE}).")
  Duration sessionTimeout = Duration.ofSeconds(10);

  @Option(
      names = "--start-timeout",
      paramLabel = "DURATION",
      defaultValue = "PT10S",
      converter = IsoDuration.class,
      description =
          "How long a start waits for an ensemble that it has not reached yet; an ensemble that was"
              + " reached and then lost is waited for one minute, or for this time if it is longer"
              + " (default: ${DEFAULT-VALUE}).")
  Duration startTimeout = Duration.ofSeconds(10);

  @Option(
      names = "--stop-timeout",
      paramLabel = "DURATION",
      defaultValue = "PT20S",
      converter = IsoDuration.class,
      description =
          "How long a stop by a signal waits for the job runs on this node; PT0S does not wait, a"
              + " second signal ends the wait (default: ${DEFAULT-VALUE}).")
  Duration stopTimeout = Duration.ofSeconds(20);

  @Option(
      names = "--archive",
      paramLabel = "JDBC-URL",
      description =
          "Database for the history of the cell, PostgreSQL or H2, or none (default: H2 in the data"
              + " directory with an embedded ZooKeeper; none with an ensemble).")
  @Nullable String archive;

  @Option(
      names = "--jobs-kept",
      paramLabel = "N",
      description =
          "How many ended jobs stay in ZooKeeper, the last ones; the database has the others"
              + " (default: 1000, and 50000 without an archive).")
  @Nullable Integer jobsKept;

  @Option(
      names = "--successes-kept",
      paramLabel = "DURATION",
      defaultValue = "P7D",
      converter = IsoDuration.class,
      description =
          "How long the archive has jobs and workflow instances that succeeded (default:"
              + " ${DEFAULT-VALUE}).")
  Duration successesKept = Duration.ofDays(7);

  @Option(
      names = "--failures-kept",
      paramLabel = "DURATION",
      defaultValue = "P90D",
      converter = IsoDuration.class,
      description =
          "How long the archive has jobs and workflow instances that ended otherwise (default:"
              + " ${DEFAULT-VALUE}).")
  Duration failuresKept = Duration.ofDays(90);

  @Option(
      names = "--files-kept",
      paramLabel = "DURATION",
      defaultValue = "P7D",
      converter = IsoDuration.class,
      description =
          "How long this host keeps the directories of runs whose jobs only the archive has, from"
              + " their last change on (default: ${DEFAULT-VALUE}).")
  Duration filesKept = Duration.ofDays(7);

  @Option(
      names = "--logs-kept",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description =
          "How long this host keeps logs of runs that have ended, from their last line on (default:"
              + " as long as the directories).")
  @Nullable Duration logsKept;

  @Option(
      names = "--instances-kept",
      paramLabel = "N",
      description =
          "How many workflow instances that have ended stay in the cell, where they can be retried;"
              + " the oldest that succeeded go first, to the database (default: 1000, and 50000"
              + " without an archive).")
  @Nullable Integer instancesKept;

  @Option(
      names = "--instances-kept-for",
      paramLabel = "DURATION",
      defaultValue = "P7D",
      converter = IsoDuration.class,
      description =
          "How long workflow instances that have ended stay in the cell at most (default:"
              + " ${DEFAULT-VALUE}).")
  Duration instancesKeptFor = Duration.ofDays(7);

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many jobs run on this node at the same time (default: ${DEFAULT-VALUE}).")
  int slots = 10;

  @Option(
      names = "--cluster-host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "Address at which other nodes reach this node (default: ${DEFAULT-VALUE}).")
  String clusterHost = "127.0.0.1";

  @Option(
      names = "--cluster-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Port at which other nodes reach this node; 0 for any free port (default:"
              + " ${DEFAULT-VALUE}).")
  int clusterPort = 0;

  @Option(names = "--conf", paramLabel = "FILE", description = "Configuration file, JSON or YAML.")
  @Nullable Path conf;

  @Option(
      names = "--log-format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Format of the log file (default: ${DEFAULT-VALUE}).")
  String logFormat = "text";

  /** Settings of HTTP of the configuration file that have no option. */
  HttpSettings http = HttpSettings.NONE;

  /** Sources of the configuration file; they have no option. */
  SourcesOptions sources = SourcesOptions.NONE;

  /** Parts and actors in the jars of the application; null if there is none. */
  @Nullable AppJars appJars;

  /** Settings as they take effect, for operators. */
  List<Setting> settings = List.of();

  @Mixin Console console = new Console();

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Shows the version.")
  boolean version;

  @Override
  public Integer call() throws InterruptedException {
    CommandLine command = console.command();
    ConfigSources configSources = (ConfigSources) command.getDefaultValueProvider();
    http = configSources.http();
    check();
    NodeLog.configure(data, logFormat); // before sources and TLS, which create the first logger
    appJars = app == null ? null : AppJars.open(app);
    sources = configSources.messageSources(appJars == null ? List.of() : appJars.kinds());
    access = cell.access(command);
    settings = EffectiveSettings.of(command, configSources, sources, derived());
    return NodeProcess.run(this, configSources.zones(), command.getOut(), command.getErr());
  }

  /** Returns what is used of options that are not given. */
  private Map<String, String> derived() {
    String database = archiveUrl();
    JobRetention jobs = jobRetention();
    return Map.of(
        "name",
        nodeName(),
        "app",
        "none",
        "machine",
        "the host name",
        "archive",
        database == null ? NO_ARCHIVE : database,
        "jobs-kept",
        String.valueOf(database == null ? jobs.records() : jobs.recent()),
        "instances-kept",
        String.valueOf(workflowsOptions().retention().instances()),
        "logs-kept",
        "as long as the directories",
        "zookeeper",
        "embedded",
        "zookeeper-port",
        "2181, or any free port");
  }

  String nodeName() {
    return name == null ? DataDirectory.nodeName(data).orElseGet(LocalMachine::name) : name;
  }

  void check() {
    require(
        "--name",
        NAME.matcher(nodeName()).matches(),
        "\"%s\" is not a node name: use up to 63 letters, digits and - _ ., the first a letter or digit"
            .formatted(nodeName()));
    accepted("--machine", () -> new Locality(machine == null ? "" : machine, Map.of()));
    accepted("--labels", () -> new Locality("", labels));
    requirePort("--http-port", httpPort);
    requirePort("--cluster-port", clusterPort);
    if (zookeeperPort != null) {
      requirePort("--zookeeper-port", zookeeperPort);
    }
    require(
        "--zookeeper-secure",
        !cell.access.secure || zookeeper != null,
        "the embedded ZooKeeper has no TLS and listens on loopback only; name an ensemble with"
            + " --zookeeper");
    String database = archiveUrl();
    if (database != null) {
      accepted("--archive", () -> ArchiveUrl.checked(database));
    }
    require(
        "--jobs-kept",
        jobsKept == null || (jobsKept >= 0 && jobsKept <= MOST_JOBS_KEPT),
        "it is 0 to %d, not %d".formatted(MOST_JOBS_KEPT, jobsKept));
    require(
        "--successes-kept",
        successesKept.compareTo(JobRetention.SHORTEST_ROWS) >= 0,
        "it is %s or longer, not %s".formatted(JobRetention.SHORTEST_ROWS, successesKept));
    require(
        "--failures-kept",
        failuresKept.compareTo(JobRetention.SHORTEST_ROWS) >= 0,
        "it is %s or longer, not %s".formatted(JobRetention.SHORTEST_ROWS, failuresKept));
    require("--files-kept", !filesKept.isNegative(), "it is PT0S or longer, not " + filesKept);
    require(
        "--logs-kept",
        logsKept == null || !logsKept.isNegative(),
        "it is PT0S or longer, not " + logsKept);
    require(
        "--instances-kept",
        instancesKept == null || (instancesKept >= 0 && instancesKept <= MOST_INSTANCES_KEPT),
        "it is 0 to %d, not %d".formatted(MOST_INSTANCES_KEPT, instancesKept));
    require(
        "--instances-kept-for",
        !instancesKeptFor.isNegative(),
        "it is PT0S or longer, not " + instancesKeptFor);
    require(
        "--slots",
        slots >= 0 && slots <= MOST_SLOTS,
        "slots are 0 to %d, not %d".formatted(MOST_SLOTS, slots));
    require(
        "--session-timeout",
        sessionTimeout.compareTo(Duration.ofSeconds(1)) >= 0
            && sessionTimeout.compareTo(Duration.ofSeconds(60)) <= 0,
        "the session timeout is PT1S to PT60S, not " + sessionTimeout);
    require(
        "--start-timeout",
        startTimeout.compareTo(Duration.ofSeconds(1)) >= 0
            && startTimeout.compareTo(Duration.ofHours(1)) <= 0,
        "the start timeout is PT1S to PT1H, not " + startTimeout);
    require(
        "--stop-timeout",
        !stopTimeout.isNegative() && stopTimeout.compareTo(Duration.ofHours(24)) <= 0,
        "the stop timeout is PT0S to PT24H, not " + stopTimeout);
    require(
        "--log-format",
        logFormat.equals("text") || logFormat.equals("json"),
        "the log format is text or json, not " + logFormat);
    accepted("--cell", () -> ZooKeeperOptions.checkedCell(cell.cell));
    String ensemble = zookeeper;
    if (ensemble != null) {
      accepted("--zookeeper", () -> ZooKeeperOptions.checkedConnect(ensemble));
    }
  }

  /** Returns the URL of the archive's database; null if there is none. */
  @Nullable String archiveUrl() {
    if (archive != null) {
      return archive.equals(NO_ARCHIVE) ? null : archive;
    } else if (zookeeper != null) {
      return null;
    }
    return archiveIn(data);
  }

  /** Returns the retention of ended jobs. */
  JobRetention jobRetention() {
    JobRetention all =
        JobRetention.DEFAULT.rows(successesKept, failuresKept).files(filesKept, logsKept);
    return jobsKept == null
        ? all
        : all.records(jobsKept, all.age()).recent(jobsKept, all.recentAge());
  }

  /** Returns the options of the workflow engine. */
  WorkflowsOptions workflowsOptions() {
    int byDefault =
        archiveUrl() == null ? WorkflowRetention.DEFAULT.instances() : WorkflowRetention.RECENT;
    return WorkflowsOptions.DEFAULT
        .mergers(appJars == null ? List.of() : appJars.mergers())
        .retention(
            new WorkflowRetention(
                instancesKept == null ? byDefault : instancesKept,
                instancesKeptFor,
                successesKept,
                failuresKept));
  }

  /** Returns the URL of the database in a data directory. */
  static String archiveIn(Path data) {
    return "jdbc:h2:file:"
        + data.toAbsolutePath().normalize().resolve("archive").resolve("history");
  }

  /** The node without its parts. */
  NodeOptions nodeOptions() {
    NodeOptions node =
        new NodeOptions()
            .name(nodeName())
            .directory(data)
            .newCell(newCell)
            .cell(cell.cell)
            .access(access)
            .sessionTimeout(sessionTimeout)
            .startTimeout(startTimeout)
            .clusterHost(clusterHost)
            .clusterPort(clusterPort);
    if (zookeeper != null) {
      node.zookeeper(zookeeper);
    } else if (zookeeperPort != null) {
      node.zookeeperPort(zookeeperPort);
    }
    return node;
  }

  private void requirePort(String option, int port) {
    require(option, port >= 0 && port <= 65_535, "a port is 0 to 65535, not " + port);
  }

  private void accepted(String option, Supplier<?> made) {
    try {
      var unused = made.get();
    } catch (IllegalArgumentException e) {
      require(option, false, String.valueOf(e.getMessage()));
    }
  }

  private void require(String option, boolean good, String otherwise) {
    if (!good) {
      throw new ParameterException(
          console.command(),
          "Invalid value for option '%s': %s".formatted(option, otherwise),
          console.command().getCommandSpec().findOption(option),
          "");
    }
  }
}
