package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.runner.RunException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Search for a program as a shell does it, before anything is started. */
final class CommandPath {
  private CommandPath() {}

  /**
   * Returns the file to execute for a command.
   *
   * @param path PATH of the run
   * @param directory directory to which a relative name refers
   * @return the file to execute
   * @throws RunException if there is none, or none that may be executed
   */
  static String resolve(String command, String path, Path directory, String host) {
    if (command.indexOf('/') >= 0) {
      Path file = directory.resolve(command);
      if (!Files.exists(file)) {
        throw RunException.notFound(command, host);
      }
      if (!isProgram(file)) {
        throw RunException.notExecutable(command, host);
      }
      return file.toString();
    }
    boolean found = false;
    for (String entry : path.split(":", -1)) {
      Path file = directory.resolve(entry).resolve(command);
      if (isProgram(file)) {
        return file.toString();
      }
      found |= Files.isRegularFile(file);
    }
    throw found ? RunException.notExecutable(command, host) : RunException.notFound(command, host);
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
