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

/**
 * Java for processes of the built jar, which live for seconds in tests: without the second
 * compiler, and with the classes as a process before them had loaded them.
 */
final class QuickStart {
  private static final Duration LIMIT = Duration.ofSeconds(60);

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
    return java("-XX:SharedArchiveFile=" + (isCommand(arguments) ? COMMANDS : NODES), arguments);
  }

  /** Returns the flag by which a process with the jar first in its class path has its classes. */
  static String nodeClasses() {
    return "-XX:SharedArchiveFile=" + NODES;
  }

  /** A node's arguments are options from the first on. */
  private static boolean isCommand(List<String> arguments) {
    int first = arguments.indexOf("-jar") + 2;
    return first >= 2 && first < arguments.size() && !arguments.get(first).startsWith("-");
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
                .compareTo(Files.getLastModifiedTime(RunningNode.jar()))
            < 0;
  }

  private static void makeOfCommands() throws IOException, InterruptedException {
    List<String> run =
        List.of("-cp", RunningNode.jar().toString(), "io.callboard.bootstrap.TrainingRun");
    Path made = Path.of(COMMANDS + ".new");
    try (RunningNode commands =
        RunningNode.launch(Map.of(), java("-XX:ArchiveClassesAtExit=" + made, run))) {
      ended(commands);
    }
    put(made, COMMANDS);
  }

  private static void makeOfNodes() throws IOException, InterruptedException {
    Path made = Path.of(NODES + ".new");
    String data = RunningNode.directory("classes").toString();
    List<String> arguments = new ArrayList<>(List.of("-jar", RunningNode.jar().toString()));
    arguments.addAll(List.of("--data", data, "--http-port", "0", "--zookeeper-port", "0"));
    List<String> command = java("-XX:ArchiveClassesAtExit=" + made, arguments);
    try (RunningNode node = RunningNode.launch(Map.of(), command)) {
      node.awaitReady(LIMIT);
      node.terminate();
      ended(node);
    }
    put(made, NODES);
  }

  private static void ended(RunningNode process) throws IOException, InterruptedException {
    int code = process.exitCode(LIMIT);
    if (code != 0) {
      throw new IOException("the process ended with %d: %s".formatted(code, process.errors()));
    }
  }

  private static void put(Path made, Path classes) throws IOException {
    Files.move(made, classes, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
