package io.callboard.jobs.internal.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Access to regular files only: a link leads elsewhere, a pipe never ends. */
final class RegularFile {
  private RegularFile() {}

  /**
   * Opens a file.
   *
   * @throws NoSuchFileException if there is nothing of that name
   * @throws IOException if it is a link, a pipe or a directory
   */
  static FileChannel open(Path file, OpenOption... options) throws IOException {
    // one look: between two a file may appear
    BasicFileAttributes its =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!its.isRegularFile()) {
      throw new IOException(file + " is not a regular file");
    }
    Set<OpenOption> all =
        Stream.concat(List.of(options).stream(), Stream.of(LinkOption.NOFOLLOW_LINKS))
            .collect(Collectors.toUnmodifiableSet());
    return FileChannel.open(file, all);
  }
}
