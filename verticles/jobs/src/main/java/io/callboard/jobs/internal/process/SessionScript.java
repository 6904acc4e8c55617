package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.RunException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Shell script of Callboard that runs as the leader of its own session. */
final class SessionScript {
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

  private final List<String> leader;
  private final Path file;

  private SessionScript(List<String> leader, Path file) {
    this.leader = leader;
    this.file = file;
  }

  /**
   * Writes the script into the data directory.
   *
   * @param name name of the resource and of the file
   * @throws RunException if that is not possible, or the system cannot make a session
   */
  static SessionScript install(RunHome home, String name) {
    Path file = home.data().resolve(name);
    Path next = home.data().resolve(name + ".tmp");
    try (InputStream in = SessionScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the resource " + name + " is missing");
      }
      Files.createDirectories(home.openRuns());
      Files.write(next, in.readAllBytes());
      // a shell reads its script as it runs: one that runs keeps the old file
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw RunException.directory("prepare", home.data(), e);
    }
    return new SessionScript(leader(home), file);
  }

  private static List<String> leader(RunHome home) {
    try {
      return List.of(program("setsid", home));
    } catch (RunException noSetsid) {
      try {
        String become = "POSIX::setsid() or die; exec {$ARGV[0]} @ARGV or die";
        return List.of(program("perl", home), "-MPOSIX", "-e", become, "--");
      } catch (RunException noPerl) {
        throw RunException.unusable(
            "host " + home.host() + " has neither setsid (util-linux) nor perl to run jobs with");
      }
    }
  }

  /**
   * Returns the file of a program of the system.
   *
   * @throws RunException if it has none
   */
  static String program(String name, RunHome home) {
    return CommandPath.resolve(name, USUAL_PATH, home.data(), home.host());
  }

  List<String> command(List<String> arguments) {
    List<String> all = new ArrayList<>(leader);
    all.add("/bin/sh");
    all.add(file.toString());
    all.addAll(arguments);
    return all;
  }
}
