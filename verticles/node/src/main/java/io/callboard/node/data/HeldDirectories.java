package io.callboard.node.data;

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
 * The data directories that processes of this machine hold now, found in {@code /proc} by the lock
 * files that they have open. A lock protects a directory, not its identity, which goes along with
 * each copy. Without {@code /proc}, and of processes of other users, it finds none.
 */
final class HeldDirectories {
  private static final Path PROC = Path.of("/proc");
  private static final String DELETED = " (deleted)";

  /** A directory that a process holds. */
  record Held(long pid, Path path) {}

  private HeldDirectories() {}

  /**
   * One of that identity besides {@code own}, or {@code own} itself by a lock file that was deleted
   * since.
   *
   * @param own held by this process
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

  /** The directory whose lock file this is; empty if it is another file, or of another identity. */
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
      // as that process sees it, which may be in a container
      Path identity = process.resolve("root" + directory).resolve(DataDirectory.HOME_ID);
      return Files.isRegularFile(identity) && Files.readString(identity).strip().equals(homeId)
          ? Optional.of(directory)
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // closed meanwhile, another user's, or no path in this locale
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
    return key == null ? file : key; // not on systems with /proc
  }

  private static List<Path> list(Path directory, String glob) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
      entries.forEach(found::add);
    } catch (IOException | DirectoryIteratorException e) {
      return found; // ended meanwhile, another user's, or no Linux
    }
    return found;
  }
}
