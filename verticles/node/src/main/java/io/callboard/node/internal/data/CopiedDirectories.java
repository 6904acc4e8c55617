package io.callboard.node.internal.data;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Data directories that processes of this machine hold now, found in {@code /proc} by the lock
 * files that they have open. A lock protects a directory, but not its identity, which is copied
 * with it. Without {@code /proc}, and for processes of other users, none is found.
 */
final class CopiedDirectories {
  private static final Path PROC = Path.of("/proc");
  private static final String DELETED = " (deleted)";

  /** Data directory held by a process. */
  record Held(long pid, Path path) {}

  private CopiedDirectories() {}

  /**
   * Returns a directory of that identity other than {@code own}, or {@code own} itself, held by a
   * lock file that was deleted since.
   *
   * @param own directory held by this process
   */
  static Optional<Held> twinOf(String homeId, Path own) throws IOException {
    Object ownLock = fileKey(own.resolve(DataDirectory.LOCK));
    for (Path process : list(PROC, "[0-9]*")) {
      for (Path open : list(process.resolve("fd"), "*")) {
        Optional<Path> held = directory(process, open, homeId);
        if (held.isPresent() && !isSame(open, ownLock)) {
          return Optional.of(
              new Held(Long.parseLong(process.getFileName().toString()), held.get()));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the directory to which this lock file belongs; empty if it is another file, or of
   * another identity.
   */
  private static Optional<Path> directory(Path process, Path open, String homeId) {
    try {
      String target = Files.readSymbolicLink(open).toString();
      String file =
          target.endsWith(DELETED)
              ? target.substring(0, target.length() - DELETED.length())
              : target;
      if (!file.endsWith("/" + DataDirectory.LOCK)) {
        return Optional.empty();
      }
      Path directory = Path.of("/", file.substring(0, file.length() - DataDirectory.LOCK.length()));
      // as seen by that process, which may be in a container
      Path identity = process.resolve("root" + directory).resolve(DataDirectory.HOME_ID);
      return Files.isRegularFile(identity) && Files.readString(identity).strip().equals(homeId)
          ? Optional.of(directory)
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // closed meanwhile, of another user, or no path in this locale
    }
  }

  private static boolean isSame(Path open, Object lock) {
    try {
      return lock.equals(fileKey(open));
    } catch (IOException e) {
      return true; // closed meanwhile
    }
  }

  private static Object fileKey(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key == null ? file : key; // null only on systems without /proc
  }

  private static List<Path> list(Path directory, String glob) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
      entries.forEach(found::add);
    } catch (IOException | DirectoryIteratorException e) {
      return found; // ended meanwhile, of another user, or not Linux
    }
    return found;
  }
}
