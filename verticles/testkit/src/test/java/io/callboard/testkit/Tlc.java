package io.callboard.testkit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The model checker of TLA+, run in a process of its own: it keeps its state in statics. */
final class Tlc {
  private static final Path WORK = Path.of("target/models");

  /** TLC's classes as the first process loaded them: the others start faster. */
  private static final Path CLASSES = WORK.resolve("tlc.jsa").toAbsolutePath();

  private static final Pattern STATES = Pattern.compile("(\\d+) distinct states found");
  private static final Pattern BROKEN = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern PROPERTY = Pattern.compile("(?m)^PROPERTY (\\w+)");

  private Tlc() {}

  /** Effort of a check: its time limit, and the options of its virtual machine. */
  enum Effort {
    SMALL(Duration.ofMinutes(2), "-Xmn256m", "-XX:TieredStopAtLevel=1"),
    LARGE(Duration.ofMinutes(30), "-Xmx2g", "-XX:TieredStopAtLevel=4");

    private final Duration limit;
    private final String heap;
    private final String compilation;

    Effort(Duration limit, String heap, String compilation) {
      this.limit = limit;
      this.heap = heap;
      this.compilation = compilation;
    }
  }

  /**
   * Result of TLC.
   *
   * @param broken invariant or property that does not hold
   */
  record Result(Optional<String> broken, long distinctStates, String output) {}

  /**
   * Checks the module with that configuration, with one worker, so always in the same order.
   *
   * @throws IllegalStateException if TLC did not come to a result
   */
  static Result check(Path modules, String module, String configuration, Effort effort)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(WORK);
    directory = Files.createTempDirectory(directory, module + "-").toAbsolutePath();
    String file = module + ".tla";
    Files.copy(modules.resolve(file), directory.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(directory.resolve(module + ".cfg"), configuration);
    Path output = directory.resolve("output");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command(directory, file, effort))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended;
    try {
      ended = process.waitFor(effort.limit.toSeconds(), TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    if (!ended) {
      throw new IllegalStateException("TLC takes more than " + effort.limit + ": " + text);
    }
    Result result = result(configuration, text);
    record(module, configuration, result, System.nanoTime() - start);
    return result;
  }

  private static List<String> command(Path directory, String file, Effort effort) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        effort.heap,
        effort.compilation,
        "-XX:+UseSerialGC",
        (Files.exists(CLASSES) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + CLASSES,
        "-Djava.io.tmpdir=" + directory,
        "-cp",
        jar().toString(),
        "tlc2.TLC",
        "-workers",
        "1",
        "-deadlock", // means: do not look for deadlocks; bounded models all end
        "-metadir",
        directory.resolve("states").toString(),
        file);
  }

  private static Path jar() {
    try {
      Class<?> tlc = Class.forName("tlc2.TLC", false, Tlc.class.getClassLoader());
      return Path.of(tlc.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException("no TLC on the class path", e);
    }
  }

  private static Result result(String configuration, String text) {
    Matcher states = STATES.matcher(text);
    long distinct = 0;
    while (states.find()) {
      distinct = Long.parseLong(states.group(1));
    }
    Matcher invariant = BROKEN.matcher(text);
    Matcher property = PROPERTY.matcher(configuration);
    if (invariant.find()) {
      return new Result(Optional.of(invariant.group(1)), distinct, text);
    } else if (text.contains("Temporal properties were violated") && property.find()) {
      return new Result(Optional.of(property.group(1)), distinct, text);
    } else if (text.contains("Model checking completed. No error has been found")
        && text.contains(" 0 states left on queue")) {
      return new Result(Optional.empty(), distinct, text);
    }
    throw new IllegalStateException("TLC came to no result: " + text);
  }

  /** Records the size of a model, for readers of the report. */
  private static void record(String module, String configuration, Result result, long nanos)
      throws IOException {
    String constants = configuration.replaceAll("(?s).*CONSTANTS\n|(INVARIANT|PROPERTY).*", "");
    String line =
        "%-8s %-20s %9d states %6.1f s  %s%n"
            .formatted(
                module,
                result.broken().orElse("holds"),
                result.distinctStates(),
                nanos / 1e9,
                constants.replace(" = ", "=").replace('\n', ' '));
    Files.writeString(
        WORK.resolve("results.txt"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
