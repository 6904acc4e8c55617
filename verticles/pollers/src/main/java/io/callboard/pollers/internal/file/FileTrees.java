package io.callboard.pollers.internal.file;

import io.callboard.codecs.internal.text.CutText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operations on files that the directories of a spool need. They block. */
final class FileTrees {
  private static final int LONGEST_TEXT = 64 * 1024;

  /** End of the names of files that are being written. */
  private static final String WRITING = ".writing";

  /** Replacement for what a JVM cannot decode; it may also stand in a name itself. */
  private static final char UNREADABLE = '\uFFFD';

  private FileTrees() {}

  /** Deletes a directory with all in it; ignores what is gone. Follows no links. */
  static void delete(Path directory) throws IOException {
    try {
      Path unused =
          Files.walkFileTree(
              directory,
              new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                  boolean unused = Files.deleteIfExists(file);
                  return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure)
                    throws IOException {
                  boolean unused = Files.deleteIfExists(each);
                  return FileVisitResult.CONTINUE;
                }
              });
    } catch (NoSuchFileException e) {
      // another one deletes it, too
    }
  }

  /** Returns the file in the directory of one file; empty if a crash has left none. */
  static Optional<Path> fileIn(Path directory) throws IOException {
    Path[] found = new Path[1];
    Path unused =
        Files.walkFileTree(
            directory,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (isHidden(file)) {
                  return FileVisitResult.CONTINUE;
                }
                found[0] = file;
                return FileVisitResult.TERMINATE;
              }
            });
    return Optional.ofNullable(found[0]);
  }

  static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  /**
   * Fails if this JVM cannot read the path of a file, whose text may be that of another path then.
   */
  static void checkReadable(Path path) throws FileSystemException {
    if (path.toString().indexOf(UNREADABLE) >= 0 && !isOfItsText(path)) {
      throw new FileSystemException(
          path.toString(),
          null,
          "%s, with hexadecimal bytes, is no path in %s: rename it, or start the node in a UTF-8 locale (LC_ALL=C.UTF-8) if it is UTF-8"
              .formatted(path.toUri().getRawPath(), System.getProperty("sun.jnu.encoding")));
    }
  }

  private static boolean isOfItsText(Path path) {
    try {
      return path.getFileSystem().getPath(path.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false; // the encoding does not have the replacement character
    }
  }

  /** Reads at most {@code most} bytes of a file that is no link. */
  static byte[] read(Path file, int most) throws IOException {
    try (InputStream in =
        Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(most);
    }
  }

  /** Returns a text of bounded length as bytes. */
  static byte[] text(String text) {
    String cut = text.length() > LONGEST_TEXT ? CutText.head(text, LONGEST_TEXT) + "…" : text;
    return cut.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Writes a file that is on disk, and whole under its name, when this returns.
   *
   * @param writer name of this writing, which no other one has
   */
  static void write(Path directory, String name, byte[] content, String writer) throws IOException {
    Path unfinished = directory.resolve("." + writer + WRITING);
    try {
      write(unfinished, content);
      Path unused = Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      deleteAfter(e, unfinished);
      throw e;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void deleteAfter(Exception failure, Path file) {
    try {
      boolean unused = Files.deleteIfExists(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Deletes what is left in a directory of writings that a crash has ended: those that are old.
   *
   * @param before time before which a writing is old
   */
  static void sweep(Path directory, Instant before) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, ".*" + WRITING)) {
      for (Path each : all) {
        if (Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS)
            .toInstant()
            .isBefore(before)) {
          boolean unused = Files.deleteIfExists(each);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      // it is finished, or another one sweeps, too; the next sweep has the rest
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        int unused = channel.write(left);
      }
      channel.force(true);
    }
  }
}
