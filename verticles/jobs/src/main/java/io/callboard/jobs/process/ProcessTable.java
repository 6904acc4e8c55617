package io.callboard.jobs.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of this machine, read from {@code /proc}. Without one it is empty. */
class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  /**
   * A process that has not ended.
   *
   * @param group its process group
   */
  record Entry(long pid, long group) {}

  /**
   * A process that bears a mark.
   *
   * @param handle taken before the mark was read, so that it never kills a later process of that
   *     pid
   */
  record Tagged(ProcessHandle handle, Tag tag) {}

  /** All processes but zombies. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (Path directory : directories()) {
      entry(directory).ifPresent(entries::add);
    }
    return entries;
  }

  /** The processes marked with this home whose environment may be read, except this JVM. */
  List<Tagged> tagged(String homeId) {
    List<Tagged> found = new ArrayList<>();
    for (Path directory : directories()) {
      long pid = Long.parseLong(directory.getFileName().toString());
      Optional<ProcessHandle> handle = ProcessHandle.of(pid);
      if (handle.isEmpty() || pid == ProcessHandle.current().pid()) {
        continue;
      }
      try {
        Tag.parse(Files.readAllBytes(directory.resolve("environ")))
            .filter(tag -> tag.homeId().equals(homeId))
            .ifPresent(tag -> found.add(new Tagged(handle.get(), tag)));
      } catch (IOException e) {
        continue; // ended meanwhile, or another user's
      }
    }
    return found;
  }

  private static List<Path> directories() {
    List<Path> pids = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(PROC, path -> isNumber(path.getFileName().toString()))) {
      all.forEach(pids::add);
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return pids; // not Linux
    }
    return pids;
  }

  private static boolean isNumber(String name) {
    return !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Optional<Entry> entry(Path directory) {
    try {
      byte[] bytes = Files.readAllBytes(directory.resolve("stat"));
      String stat = new String(bytes, StandardCharsets.ISO_8859_1);
      // pid (name) state parent group …, where a name may hold blanks and parentheses
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4);
      boolean ended = fields[0].equals("Z") || fields[0].equals("X");
      long pid = Long.parseLong(directory.getFileName().toString());
      return ended ? Optional.empty() : Optional.of(new Entry(pid, Long.parseLong(fields[2])));
    } catch (IOException e) {
      return Optional.empty(); // ended meanwhile
    }
  }
}
