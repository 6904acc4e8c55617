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
 * compiler, and with the classes as a node before them had loaded them.
 */
final class QuickStart {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path CLASSES = Path.of("target", "it-classes.jsa").toAbsolutePath();

  static {
    try {
      keepClasses();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no node could be started to keep its classes", e);
    }
  }

  private QuickStart() {}

  /** Runs java with these flags and arguments. */
  static List<String> java(List<String> arguments) {
    return java("-XX:SharedArchiveFile=" + CLASSES, arguments);
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

  /** Creates the archive of classes for faster starts, unless another test JVM has done so. */
  private static void keepClasses() throws IOException, InterruptedException {
    Path lock = Path.of(CLASSES + ".lock");
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var unused = channel.lock();
      if (!Files.exists(CLASSES)
          || Files.getLastModifiedTime(CLASSES)
                  .compareTo(Files.getLastModifiedTime(RunningNode.jar()))
              < 0) {
        make();
      }
    }
  }

  private static void make() throws IOException, InterruptedException {
    Path made = Path.of(CLASSES + ".new");
    String data = RunningNode.directory("classes").toString();
    List<String> arguments = new ArrayList<>(List.of("-jar", RunningNode.jar().toString()));
    arguments.addAll(List.of("--data", data, "--http-port", "0", "--zookeeper-port", "0"));
    List<String> command = java("-XX:ArchiveClassesAtExit=" + made, arguments);
    try (RunningNode node = RunningNode.launch(Map.of(), command)) {
      node.awaitReady(LIMIT);
      node.terminate();
      int code = node.exitCode(LIMIT);
      if (code != 0) {
        throw new IOException("the node ended with %d: %s".formatted(code, node.errors()));
      }
    }
    Files.move(made, CLASSES, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
