package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.callboard.bootstrap.config.ConfigSources;
import io.callboard.bootstrap.config.EnvironmentVariables;
import io.callboard.bootstrap.config.StartupFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The files of {@code conf} for containers, Kubernetes and systemd, none of which a build runs:
 * what they say to a node is understood by the launcher, and they agree with each other.
 */
class DeploymentFilesTest {
  private static final Path CONF = Path.of("..", "conf");

  /** Time that a stop needs beside the wait for runs. */
  private static final Duration BESIDE_RUNS = Duration.ofSeconds(15);

  private static final Pattern VARIABLE = Pattern.compile("(CALLBOARD_[A-Z_]+)=(\\S+)");
  private static final Pattern IN_KUBERNETES = Pattern.compile("- name: (CALLBOARD_[A-Z_]+)\n");

  @TempDir Path directory;
  private final String image = read("container/Containerfile");
  private final Map<String, Object> compose = yaml("container/compose.yaml").get(0);
  private final List<Map<String, Object>> kubernetes = yaml("kubernetes/callboard.yaml");
  private final String unit = read("systemd/callboard.service");

  private static String read(String file) {
    try {
      return Files.readString(CONF.resolve(file));
    } catch (IOException e) {
      throw new AssertionError("a file of conf is missing", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> yaml(String file) {
    return StreamSupport.stream(new Yaml().loadAll(read(file)).spliterator(), false)
        .map(each -> (Map<String, Object>) each)
        .toList();
  }

  /** Returns what stands at a path of keys and indexes, as text. */
  private static Object at(Object from, Object... path) {
    Object found = from;
    for (Object step : path) {
      found =
          step instanceof Integer index
              ? ((List<?>) found).get(index)
              : ((Map<?, ?>) found).get(step);
      assertThat(found).as("%s of %s", step, List.of(path)).isNotNull();
    }
    return found;
  }

  private Object kind(String kind) {
    return kubernetes.stream()
        .filter(each -> kind.equals(each.get("kind")))
        .findFirst()
        .orElseThrow();
  }

  private Object pod() {
    return at(kind("StatefulSet"), "spec", "template", "spec");
  }

  private Map<String, String> ofTheImage() {
    Map<String, String> variables = new HashMap<>();
    VARIABLE.matcher(image).results().forEach(each -> variables.put(each.group(1), each.group(2)));
    assertThat(variables).hasSize(4);
    return variables;
  }

  @SuppressWarnings("unchecked")
  private Map<String, String> ofComposed(String node) {
    Map<String, String> variables = new HashMap<>(ofTheImage());
    variables.putAll((Map<String, String>) at(compose, "services", node, "environment"));
    return variables;
  }

  /** Asserts that the launcher accepts these options and variables, without starting a node. */
  private static void isAccepted(Map<String, String> environment, String... arguments) {
    assertThatCode(() -> EnvironmentVariables.check(environment)).doesNotThrowAnyException();
    ConfigSources sources = ConfigSources.of(arguments, environment);
    assertThat(sources.wrong().map(StartupFailure::getMessage)).isEmpty();
    assertThatCode(
            () -> {
              var command = Main.commands().setDefaultValueProvider(sources);
              var unused = command.parseArgs(arguments);
              command.<NodeCommand>getCommand().check();
            })
        .doesNotThrowAnyException();
  }

  @Test
  void theNodesOfComposeAreAcceptedByTheLauncherAndAreApart() {
    for (String node : List.of("a", "b", "c")) {
      Map<String, String> variables = ofComposed(node);
      isAccepted(variables);
      assertThat(variables).containsEntry("CALLBOARD_NAME", node);
      assertThat(at(compose, "services", node, "volumes", 0)).isEqualTo(node + ":/data");
      assertThat(at(compose, "services", node, "ports", 0).toString())
          .as("without a login for this machine only")
          .matches("127\\.0\\.0\\.1:809[123]:" + variables.get("CALLBOARD_HTTP_PORT"));
    }
  }

  @Test
  void theSettingsOfKubernetesAreAcceptedByTheLauncher() throws IOException {
    Path conf =
        Files.writeString(
            directory.resolve("node.yaml"), at(kind("ConfigMap"), "data", "node.yaml").toString());
    Map<String, String> variables = new HashMap<>(ofTheImage());
    List<String> named =
        IN_KUBERNETES
            .matcher(read("kubernetes/callboard.yaml"))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(named).hasSize(5);
    named.forEach(each -> variables.put(each, "x"));
    variables.put("CALLBOARD_ARCHIVE", "jdbc:postgresql://db/callboard");
    assertThat(at(pod(), "containers", 0, "args"))
        .isEqualTo(List.of("--conf", "/etc/callboard/node.yaml"));
    isAccepted(variables, "--conf", conf.toString());
  }

  @Test
  void portsAndPathsOfKubernetesAreThoseOfTheImage() {
    Object container = at(pod(), "containers", 0);
    assertThat(at(container, "ports", 0, "containerPort"))
        .hasToString(ofTheImage().get("CALLBOARD_HTTP_PORT"));
    assertThat(at(container, "ports", 1, "containerPort"))
        .hasToString(ofTheImage().get("CALLBOARD_CLUSTER_PORT"));
    for (String probe : List.of("startupProbe", "livenessProbe")) {
      assertThat(at(container, probe, "httpGet", "path")).isEqualTo("/healthz");
    }
    assertThat(at(container, "readinessProbe", "httpGet", "path")).isEqualTo("/readyz");
    assertThat(at(container, "volumeMounts", 0, "mountPath")).isEqualTo("/data");
    assertThat(image)
        .contains("VOLUME /data")
        .contains("USER " + at(pod(), "securityContext", "runAsUser"));
  }

  @Test
  void objectsOfKubernetesAreOfTheSamePods() {
    Object labels = at(kind("StatefulSet"), "spec", "template", "metadata", "labels");
    assertThat(at(kind("StatefulSet"), "spec", "selector", "matchLabels")).isEqualTo(labels);
    assertThat(at(kind("PodDisruptionBudget"), "spec", "selector", "matchLabels"))
        .isEqualTo(labels);
    assertThat(at(kind("NetworkPolicy"), "spec", "podSelector", "matchLabels")).isEqualTo(labels);
    List<Object> services = new ArrayList<>();
    for (Map<String, Object> each : kubernetes) {
      if ("Service".equals(each.get("kind"))) {
        assertThat(at(each, "spec", "selector")).isEqualTo(labels);
        services.add(at(each, "metadata", "name"));
      }
    }
    assertThat(services).contains(at(kind("StatefulSet"), "spec", "serviceName"));
  }

  /** A stop waits for runs, and then leaves the cell: whoever kills it must wait for both. */
  @Test
  void eachGracePeriodIsLongerThanTheStopOfTheNode() {
    Duration byDefault = new NodeCommand().stopTimeout;
    assertThat(seconds(at(compose, "services", "a", "stop_grace_period").toString()))
        .isGreaterThanOrEqualTo(byDefault.plus(BESIDE_RUNS));
    assertThat(seconds(first(unit, "TimeoutStopSec=(\\d+s)")))
        .isGreaterThanOrEqualTo(byDefault.plus(BESIDE_RUNS));
    Duration asked =
        Duration.parse(first(read("kubernetes/callboard.yaml"), "stop-timeout: (\\S+)"));
    List<?> before =
        (List<?>) at(pod(), "containers", 0, "lifecycle", "preStop", "exec", "command");
    assertThat(
            Duration.ofSeconds(
                Long.parseLong(at(pod(), "terminationGracePeriodSeconds").toString())))
        .isGreaterThanOrEqualTo(
            asked.plus(BESIDE_RUNS).plusSeconds(Long.parseLong(before.get(1).toString())));
  }

  private static Duration seconds(String text) {
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  private static String first(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(each -> each.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + pattern));
  }

  @Test
  void theUnitStartsANodeAndStopsItAlone() {
    String start = first(unit, "ExecStart=/opt/callboard/bin/callboard (.*)");
    isAccepted(
        Map.of("CALLBOARD_CONF", "/dev/null"), start.replaceFirst("--conf \\S+ ", "").split(" "));
    assertThat(start).startsWith("--conf /etc/callboard/node.yaml ");
    assertThat(unit)
        .contains(
            "KillMode=mixed",
            "RestartPreventExitStatus=" + StartupFailure.USAGE,
            "StateDirectory=callboard")
        .contains("--data /var/lib/callboard");
  }

  @Test
  void theServersOfComposeAreAnEnsemble() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("myid"), "1");
    Path settings =
        Files.writeString(
            directory.resolve("zoo.cfg"),
            read("container/zoo.cfg").replace("dataDir=/data", "dataDir=" + data));
    QuorumPeerConfig config = new QuorumPeerConfig();
    config.parse(settings.toString());
    assertThat(config.isDistributed()).isTrue();
    List<String> servers =
        Pattern.compile("(?m)^server\\.(\\d)=zoo\\1:2888:3888$")
            .matcher(read("container/zoo.cfg"))
            .results()
            .map((MatchResult each) -> each.group(1))
            .toList();
    assertThat(servers).containsExactly("1", "2", "3");
    for (String server : servers) {
      Object its = at(compose, "services", "zoo" + server);
      assertThat(at(its, "environment", "SERVER")).isEqualTo(server);
      assertThat(at(its, "entrypoint", 2).toString())
          .contains(" io.callboard.zookeeper.EnsembleServer /opt/callboard/conf/container/zoo.cfg");
      assertThat(ofComposed("a").get("CALLBOARD_ZOOKEEPER")).contains("zoo" + server + ":2181");
    }
    assertThatCode(() -> Class.forName("io.callboard.zookeeper.EnsembleServer"))
        .doesNotThrowAnyException();
  }
}
