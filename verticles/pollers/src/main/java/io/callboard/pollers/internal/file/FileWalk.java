package io.callboard.pollers.internal.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
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
  /** Number of directories that a walk is in at most, the first one included. */
  private static final int DEEPEST = 32;

  private final Path root;
  private final int deepest;
  private final Observer observer;
  private final Deque<Level> levels = new ArrayDeque<>();

  /** Directory that the walk is in. */
  private record Level(Path directory, DirectoryStream<Path> stream, Iterator<Path> entries) {}

  /** Observer of the directories that a walk comes to, by their relative paths. */
  interface Observer {
    void entered(Path directory);

    /**
     * Learns that files of a directory are left out.
     *
     * @param why why they are, and what would help
     */
    void leftOut(Path directory, String why);
  }

  /**
   * Regular file that the walk has come to.
   *
   * @param path relative path
   */
  record Found(Path path, BasicFileAttributes attributes) {}

  /** Begins a walk; fails if the directory cannot be read. */
  FileWalk(DirectorySettings settings, Observer observer) throws IOException {
    this.root = settings.path().toRealPath(); // it may be a link itself, and nothing below
    this.observer = observer;
    this.deepest = settings.recursive() ? DEEPEST : 1;
    enter(root);
    observer.entered(root.relativize(root));
  }

  @SuppressWarnings("StreamResourceLeak") // it is closed with the walk
  private void enter(Path directory) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
    levels.push(new Level(directory, stream, stream.iterator()));
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
      if (attributes.isDirectory()) {
        enterBelow(entry);
      }
      return attributes.isRegularFile() ? new Found(root.relativize(entry), attributes) : null;
    } catch (NoSuchFileException e) {
      return null; // gone since it was listed
    } catch (IOException e) {
      leaveOut(levels.element().directory(), e);
      return null;
    }
  }

  private void enterBelow(Path directory) {
    Path path = root.relativize(directory);
    if (levels.size() < deepest) {
      try {
        enter(directory);
        observer.entered(path);
      } catch (NoSuchFileException | NotDirectoryException e) {
        // gone since it was listed
      } catch (IOException e) {
        leaveOut(directory, e);
      }
    } else if (deepest > 1) {
      observer.leftOut(
          path,
          "it is %d levels below, and files are taken from the first %d: move it up"
              .formatted(deepest, deepest));
    }
  }

  private void leaveOut(Path directory, Exception cause) {
    observer.leftOut(
        root.relativize(directory),
        "not all of it can be read, so that files are left out: %s%s"
            .formatted(
                cause,
                cause instanceof AccessDeniedException
                    ? "; the user of the node needs the rights to read and to search it"
                    : ""));
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
      } else if (!(e.getCause() instanceof NoSuchFileException)) {
        leaveOut(levels.element().directory(), e);
      }
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
