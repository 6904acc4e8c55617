package io.callboard.bootstrap;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Java for processes of the built jar, which live for seconds in tests: without the second
 * compiler, and with the classes as a process before them had loaded them.
 */
final class QuickStart {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Commands that load what a node loads, unlike those of clients. */
  private static final Set<String> OF_NODES =
      Set.of("archive", "backup", "demo", "fsck", "repair", "restore");

  /** Archives of the classes of a node, and of a client's command, which loads few of those. */
  private static final Path NODES = Path.of("target", "it-classes.jsa").toAbsolutePath();

  private static final Path COMMANDS = Path.of("target", "it-commands.jsa").toAbsolutePath();

  static {
    try {
      keepClasses();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no process could be started to keep its classes", e);
    }
  }

  private QuickStart() {}

  /** Runs java with these flags and arguments. */
  static List<String> java(List<String> arguments) {
    return java("-XX:SharedArchiveFile=" + (isOfClient(arguments) ? COMMANDS : NODES), arguments);
  }

  /** Returns variables by which children of a command start as fast as it does. */
  static Map<String, String> forChildren() {
    return Map.of(
        "JDK_JAVA_OPTIONS",
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC \"%s\"".formatted(nodeClasses()));
  }

  /** Returns the flag by which a process with the jar first in its class path has its classes. */
  static String nodeClasses() {
    return "-XX:SharedArchiveFile=" + NODES;
  }

  /** The arguments of a node begin with an option. */
  private static boolean isOfClient(List<String> arguments) {
    int command = arguments.indexOf("-jar") + 2;
    return command >= 2
        && command < arguments.size()
        && !arguments.get(command).startsWith("-")
        && !OF_NODES.contains(arguments.get(command));
  }

  private static List<String> java(String classes, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // what it has to say about the archive would be among what the tests read
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:disable"));
    command.add(classes);
    command.addAll(arguments);
    return command;
  }

  /** Creates the archives of classes for faster starts, unless another test JVM has done so. */
  private static void keepClasses() throws IOException, InterruptedException {
    Path lock = Path.of(NODES + ".lock");
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var unused = channel.lock();
      if (isOld(COMMANDS)) {
        makeOfCommands();
      }
      if (isOld(NODES)) {
        makeOfNodes();
      }
    }
  }

  private static boolean isOld(Path classes) throws IOException {
    return !Files.exists(classes)
        || Files.getLastModifiedTime(classes)
                .compareTo(Files.getLastModifiedTime(LaunchedNode.jar()))
            < 0;
  }

  private static void makeOfCommands() throws IOException, InterruptedException {
    List<String> run =
        List.of("-cp", LaunchedNode.jar().toString(), "io.callboard.bootstrap.TrainingRun");
    Path made = Path.of(COMMANDS + ".new");
    try (LaunchedNode commands =
        LaunchedNode.launch(Map.of(), java("-XX:ArchiveClassesAtExit=" + made, run))) {
      ended(commands);
    }
    put(made, COMMANDS);
  }

  private static void makeOfNodes() throws IOException, InterruptedException {
    Path made = Path.of(NODES + ".new");
    String data = LaunchedNode.directory("classes").toString();
    List<String> arguments = new ArrayList<>(List.of("-jar", LaunchedNode.jar().toString()));
    arguments.addAll(List.of("--data", data, "--http-port", "0", "--zookeeper-port", "0"));
    List<String> command = java("-XX:ArchiveClassesAtExit=" + made, arguments);
    try (LaunchedNode node = LaunchedNode.launch(Map.of(), command)) {
      node.awaitReady(LIMIT);
      node.terminate();
      ended(node);
    }
    put(made, NODES);
  }

  private static void ended(LaunchedNode process) throws IOException, InterruptedException {
    int code = process.exitCode(LIMIT);
    if (code != 0) {
      throw new IOException("the process ended with %d: %s".formatted(code, process.errors()));
    }
  }

  private static void put(Path made, Path classes) throws IOException {
    Files.move(made, classes, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
