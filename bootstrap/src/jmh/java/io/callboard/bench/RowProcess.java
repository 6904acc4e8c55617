package io.callboard.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that measures one row, prints its table and writes its JSON. Ends with its parent. */
final class RowProcess {
  static final String QUICK = "quick";
  static final String FULL = "full";
  private static final int STUCK = 3;
  private static final long HOOKS_MILLIS = 10_000;

  private static final String ENDS_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

  /**
   * Option for at least two workers in the common pool: with one, as by default on two cores, a
   * Java before 25 starts a thread for each asynchronous step of a CompletableFuture, of which each
   * ask of Pekko's has one.
   */
  private static final String COMMON_POOL =
      "-Djava.util.concurrent.ForkJoinPool.common.parallelism="
          + Math.max(2, Runtime.getRuntime().availableProcessors() - 1);

  private RowProcess() {}

  /** Returns the options of such a JVM; JAVA_OPTS of the environment come last. */
  static List<String> flags() {
    List<String> flags =
        new ArrayList<>(List.of("-Xms1g", "-Xmx4g", ENDS_WITHOUT_MEMORY, COMMON_POOL));
    String more = System.getenv().getOrDefault("JAVA_OPTS", "");
    flags.addAll(more.isBlank() ? List.of() : List.of(more.strip().split("\\s+")));
    return flags;
  }

  /**
   * @param arguments the row's name, {@value #QUICK} or {@value #FULL}, the output directory
   */
  public static void main(String[] arguments) {
    Child.endWithParent();
    Row row =
        Row.all().stream().filter(r -> r.name().equals(arguments[0])).findFirst().orElseThrow();
    Path output = Path.of(arguments[2]);
    boolean quick = arguments[1].equals(QUICK);
    Stage stage = new Stage(quick, output.resolve("data").resolve(row.name()));
    endWhenStuck(row, stage);
    int code = 1;
    try {
      stage.clear();
      Progress.say(row.name() + ": " + row.about());
      Report report = new Report(row.name(), quick, Machine.here(), row.measure(stage));
      Path file = report.write(output);
      System.out.println(report.markdown());
      Progress.say(row.name() + ": written to " + file);
      code = 0;
    } catch (Exception e) {
      System.err.println("bench: " + row.name() + " failed");
      e.printStackTrace();
    }
    stage.clear();
    System.exit(code);
  }

  private static void endWhenStuck(Row row, Stage stage) {
    Thread watch =
        new Thread(
            () -> {
              try {
                Thread.sleep(stage.limit().toMillis());
              } catch (InterruptedException e) {
                return;
              }
              System.err.printf(
                  "bench: %s did not end within %d s%n", row.name(), stage.limit().toSeconds());
              end();
            },
            "end-when-stuck");
    watch.setDaemon(true);
    watch.start();
  }

  /** Ends what this JVM has started, by its shutdown hooks or without them, and this JVM. */
  private static void end() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
    Thread exit = new Thread(() -> System.exit(STUCK), "exit");
    exit.setDaemon(true);
    exit.start();
    try {
      exit.join(HOOKS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(STUCK);
  }
}
