package io.callboard.jobs.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The script that runs a command, and what makes it the leader of a session. */
final class Shim {
  static final String NAME = "shim.sh";

  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

  private final List<String> leader;
  private final Path script;

  private Shim(List<String> leader, Path script) {
    this.leader = leader;
    this.script = script;
  }

  /**
   * Writes the script into the data directory.
   *
   * @throws RunException if that is not possible, or the system cannot make a session
   */
  static Shim install(RunHome home) {
    Path script = home.data().resolve(NAME);
    Path next = home.data().resolve(NAME + ".tmp");
    try (InputStream in = Shim.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IOException("the resource " + NAME + " is missing");
      }
      Files.createDirectories(home.openRuns());
      Files.write(next, in.readAllBytes());
      // a shell reads its script as it goes: one that runs keeps the old file
      Files.move(next, script, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw RunException.directory("prepare", home.data(), e);
    }
    return new Shim(leader(home), script);
  }

  private static List<String> leader(RunHome home) {
    try {
      return List.of(CommandPath.resolve("setsid", USUAL_PATH, home.data(), home.host()));
    } catch (RunException noSetsid) {
      try {
        String perl = CommandPath.resolve("perl", USUAL_PATH, home.data(), home.host());
        String become = "POSIX::setsid() or die; exec {$ARGV[0]} @ARGV or die";
        return List.of(perl, "-MPOSIX", "-e", become, "--");
      } catch (RunException noPerl) {
        throw RunException.unusable(
            "host " + home.host() + " has neither setsid (util-linux) nor perl to run jobs with");
      }
    }
  }

  List<String> command(String program, List<String> arguments) {
    List<String> all = new ArrayList<>(leader);
    all.add("/bin/sh");
    all.add(script.toString());
    all.add(program);
    all.addAll(arguments);
    return all;
  }
}
