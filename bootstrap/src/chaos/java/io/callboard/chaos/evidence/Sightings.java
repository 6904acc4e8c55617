package io.callboard.chaos.evidence;

import io.callboard.chaos.runs.RunLine;
import io.callboard.chaos.runs.Sighting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Processes of the runs of jobs as {@code /proc} shows them, looked for again and again until the
 * end. They are recognised by the variables that their job gave them, which the children inherit.
 */
public final class Sightings implements Runnable {
  private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final Path PROC = Path.of("/proc");

  private final String mark;
  private final List<Sighting> seen = new ArrayList<>();
  private volatile boolean ended;

  /**
   * Looks for processes.
   *
   * @param directory value of the variable {@code DIR} of the runs
   */
  public Sightings(Path directory) {
    this.mark = "DIR=" + directory;
  }

  @Override
  public void run() {
    while (!ended) {
      try {
        List<Sighting> now = look();
        synchronized (seen) {
          seen.addAll(now);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LockSupport.parkNanos(EVERY_NS);
    }
  }

  /** Ends to look. */
  public void end() {
    ended = true;
  }

  /** Returns what was seen so far. */
  public List<Sighting> seen() {
    synchronized (seen) {
      return List.copyOf(seen);
    }
  }

  /** Returns the processes that are alive now, each as a text for people. */
  public List<String> alive() throws IOException {
    List<String> alive = new ArrayList<>();
    for (Map.Entry<Long, Map<String, String>> process : processes().entrySet()) {
      alive.add(
          "%d of run %s/%s"
              .formatted(
                  process.getKey(),
                  process.getValue().get("KEY"),
                  process.getValue().get("CALLBOARD_RUN_ID")));
    }
    return alive;
  }

  private List<Sighting> look() throws IOException {
    long nowNs = uptimeNs();
    List<Sighting> found = new ArrayList<>();
    for (Map<String, String> variables : processes().values()) {
      String run = variables.getOrDefault("CALLBOARD_RUN_ID", "");
      if (run.matches("\\d{1,9}")) {
        found.add(new Sighting(variables.get("KEY"), Integer.parseInt(run), nowNs));
      }
    }
    return found;
  }

  private static long uptimeNs() throws IOException {
    String uptime = Files.readString(PROC.resolve("uptime"));
    return RunLine.nanos(uptime.substring(0, uptime.indexOf(' ')));
  }

  /** Returns the environments of the processes of runs, by number. */
  private Map<Long, Map<String, String>> processes() throws IOException {
    Map<Long, Map<String, String>> found = new TreeMap<>();
    try (var all = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : all) {
        Map<String, String> variables = environment(process);
        if (variables.containsKey("KEY")) {
          found.put(Long.valueOf(process.getFileName().toString()), variables);
        }
      }
    }
    return found;
  }

  /** Returns the variables of a process; none if it is none of a run, or has ended. */
  private Map<String, String> environment(Path process) {
    String text;
    try {
      text = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return Map.of();
    }
    Map<String, String> variables = new TreeMap<>();
    List<String> entries = List.of(text.split("\0"));
    if (entries.contains(mark)) {
      for (String entry : entries) {
        int equals = entry.indexOf('=');
        if (equals > 0) {
          variables.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
      }
    }
    return variables;
  }
}
