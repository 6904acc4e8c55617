package io.callboard.jobs.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Processes of this machine, read from {@code /proc}; empty on a system without it. */
class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  // fields of the line in /proc/<pid>/stat, counted from the state
  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int START_TICKS = 19;

  /**
   * Process that has not ended.
   *
   * @param group its process group
   */
  record Entry(long pid, long group) {}

  /**
   * Process that carries a mark.
   *
   * @param handle handle taken before the mark was read, so that it never kills a later process of
   *     the same pid
   */
  record Tagged(ProcessHandle handle, ProcessMark tag) {}

  /** Returns all processes except zombies. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (Path directory : directories()) {
      entry(directory).ifPresent(entries::add);
    }
    return entries;
  }

  /** Returns the processes marked with this home whose environment may be read, except this JVM. */
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
        continue; // ended meanwhile, or belongs to another user
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

  // pid (name) state parent group …, where a name may contain blanks and parentheses
  private static String[] stat(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve("stat"));
    String stat = new String(bytes, StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  private static boolean hasEnded(String[] fields) {
    return fields[STATE].equals("Z") || fields[STATE].equals("X");
  }

  /** Returns the identity of this JVM; empty without {@code /proc}. */
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

  /**
   * Returns whether that process has certainly ended; false if it lives, or cannot be seen from
   * here.
   */
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
      return false; // it ends just now, or this cannot be known
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
