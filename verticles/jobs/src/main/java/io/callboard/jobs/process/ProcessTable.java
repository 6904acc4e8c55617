package io.callboard.jobs.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of this machine, read from {@code /proc}. Without one it is empty. */
class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  // in the line of /proc/<pid>/stat, from the state on
  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int START_TICKS = 19;

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
  record Tagged(ProcessHandle handle, ProcessMark tag) {}

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
        ProcessMark.parse(Files.readAllBytes(directory.resolve("environ")))
            .filter(processMark -> processMark.homeId().equals(homeId))
            .ifPresent(processMark -> found.add(new Tagged(handle.get(), processMark)));
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
      String[] fields = stat(directory);
      long pid = Long.parseLong(directory.getFileName().toString());
      return hasEnded(fields)
          ? Optional.empty()
          : Optional.of(new Entry(pid, Long.parseLong(fields[GROUP])));
    } catch (IOException e) {
      return Optional.empty(); // ended meanwhile
    }
  }

  // pid (name) state parent group …, where a name may hold blanks and parentheses
  private static String[] stat(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve("stat"));
    String stat = new String(bytes, StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  private static boolean hasEnded(String[] fields) {
    return fields[STATE].equals("Z") || fields[STATE].equals("X");
  }

  /** This JVM; empty without {@code /proc}. */
  Optional<ProcessIdentity> self() {
    try {
      long pid = ProcessHandle.current().pid();
      String[] fields = stat(PROC.resolve(Long.toString(pid)));
      return namespace()
          .map(ns -> new ProcessIdentity(pid, Long.parseLong(fields[START_TICKS]), ns));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether that process has ended for certain; false if it lives, or cannot be seen from here. */
  boolean hasEnded(ProcessIdentity process) {
    if (!namespace().equals(Optional.of(process.namespace()))) {
      return false;
    }
    try {
      String[] fields = stat(PROC.resolve(Long.toString(process.pid())));
      return hasEnded(fields) || Long.parseLong(fields[START_TICKS]) != process.startTicks();
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // it ends just now, or nobody can tell
    }
  }

  private static Optional<String> namespace() {
    try {
      String link = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
      return Optional.of(link.replaceAll("\\D", ""));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
