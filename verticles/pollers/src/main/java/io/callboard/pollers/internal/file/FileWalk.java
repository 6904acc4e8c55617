package io.callboard.pollers.internal.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Walk to the files of a directory, which may pause after each step and go on later. It follows no
 * links, and leaves out what is hidden. Blocks. Not thread-safe.
 */
final class FileWalk implements AutoCloseable {
  private static final int DEEPEST = 32;

  private final Path root;
  private final int deepest;
  private final Deque<Level> levels = new ArrayDeque<>();

  /** Directory that the walk is in. */
  private record Level(DirectoryStream<Path> stream, Iterator<Path> entries) {}

  /**
   * Regular file that the walk has come to.
   *
   * @param path relative path
   */
  record Found(Path path, BasicFileAttributes attributes) {}

  /** Begins a walk; fails if the directory cannot be read. */
  FileWalk(DirectorySettings settings) throws IOException {
    this.root = settings.path().toRealPath(); // it may be a link itself, and nothing below
    this.deepest = settings.recursive() ? DEEPEST : 1;
    enter(root);
  }

  @SuppressWarnings("StreamResourceLeak") // it is closed with the walk
  private void enter(Path directory) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
    levels.push(new Level(stream, stream.iterator()));
  }

  /** Returns whether the walk has ended. */
  boolean isOver() {
    return levels.isEmpty();
  }

  /**
   * Takes a step.
   *
   * @return the file that the step came to; null if that is something else
   * @throws IOException if the directory itself cannot be read
   */
  @Nullable Found step() throws IOException {
    Path entry = nextEntry();
    if (entry == null || FileTrees.isHidden(entry)) {
      return null;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory() && levels.size() < deepest) {
        enter(entry);
      }
      return attributes.isRegularFile() ? new Found(root.relativize(entry), attributes) : null;
    } catch (IOException e) {
      return null; // gone since it was listed, or not ours to read
    }
  }

  /** Returns the next entry of the innermost directory; leaves that and returns null at its end. */
  private @Nullable Path nextEntry() throws IOException {
    Iterator<Path> entries = levels.element().entries();
    try {
      if (entries.hasNext()) {
        return entries.next();
      }
    } catch (DirectoryIteratorException e) {
      if (levels.size() == 1) {
        throw e.getCause();
      } // else it is gone since it was listed
    }
    levels.pop().stream().close();
    return null;
  }

  @Override
  public void close() throws IOException {
    while (!levels.isEmpty()) {
      levels.pop().stream().close();
    }
  }
}
