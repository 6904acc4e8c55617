package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Mark of the processes of a run in their environment, which their children inherit.
 *
 * @param node process of the node that started them, a {@link ProcessIdentity}; empty if the
 *     environment lacks it
 * @param jobId likewise
 * @param runId likewise
 */
record ProcessMark(String homeId, String bootId, String node, String jobId, String runId) {
  private static final String PREFIX = "CALLBOARD_";
  private static final String HOME = PREFIX + "HOME_ID";
  private static final String BOOT = PREFIX + "BOOT_ID";
  private static final String NODE = PREFIX + "NODE_PROCESS";
  private static final String JOB = PREFIX + "JOB_ID";
  private static final String RUN = PREFIX + "RUN_ID";
  private static final String EPOCH = PREFIX + "EPOCH";
  private static final String CHECKPOINT = PREFIX + "CHECKPOINT";
  private static final String CHECKPOINT_FILE = PREFIX + "CHECKPOINT_FILE";
  private static final String PROGRESS_FILE = PREFIX + "PROGRESS_FILE";
  private static final String RESULT_FILE = PREFIX + "RESULT_FILE";

  /** Names of the variables that a run is given. */
  static final Set<String> VARIABLES =
      Set.of(
          HOME,
          BOOT,
          NODE,
          JOB,
          RUN,
          EPOCH,
          CHECKPOINT,
          CHECKPOINT_FILE,
          PROGRESS_FILE,
          RESULT_FILE);

  /**
   * Returns the variables that a run is given.
   *
   * @param node process that starts it; empty if it does not know its own identity
   */
  static Map<String, String> of(RunHome home, RunRequest request, Optional<ProcessIdentity> node) {
    Map<String, String> env = new HashMap<>();
    env.put(HOME, home.homeId());
    env.put(BOOT, home.bootId());
    env.put(NODE, node.map(ProcessIdentity::toString).orElse(""));
    env.put(JOB, request.key().jobId());
    env.put(RUN, Integer.toString(request.key().runId()));
    env.put(EPOCH, Long.toString(request.epoch()));
    env.put(CHECKPOINT, request.checkpointText());
    Path directory = home.directory(request.key());
    env.put(CHECKPOINT_FILE, directory.resolve(RunFiles.CHECKPOINT).toString());
    env.put(PROGRESS_FILE, directory.resolve(RunFiles.PROGRESS).toString());
    env.put(RESULT_FILE, directory.resolve(RunFiles.RESULT).toString());
    return env;
  }

  /**
   * Returns the mark in an environment.
   *
   * @param environ NUL-terminated {@code name=value} entries, as {@code /proc} shows them
   * @return empty if there is no complete mark
   */
  static Optional<ProcessMark> parse(byte[] environ) {
    String text = new String(environ, StandardCharsets.ISO_8859_1);
    if (!text.contains(HOME + '=')) {
      return Optional.empty();
    }
    Map<String, String> env = new HashMap<>();
    for (String entry : text.split("\0")) {
      int equals = entry.indexOf('=');
      if (equals > 0 && entry.startsWith(PREFIX)) {
        env.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    String homeId = env.get(HOME);
    String bootId = env.get(BOOT);
    return homeId == null || bootId == null
        ? Optional.empty()
        : Optional.of(
            new ProcessMark(
                homeId,
                bootId,
                env.getOrDefault(NODE, ""),
                env.getOrDefault(JOB, ""),
                env.getOrDefault(RUN, "")));
  }

  /** Returns the part of the mark that distinguishes processes of this boot from all others. */
  static String markOf(RunHome home) {
    return BOOT + '=' + home.bootId();
  }

  /** Returns the run; empty if the environment lacks it. */
  Optional<RunKey> run() {
    try {
      return Optional.of(new RunKey(jobId, Integer.parseInt(runId)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  boolean isOf(RunKey key) {
    return jobId.equals(key.jobId()) && runId.equals(Integer.toString(key.runId()));
  }
}
