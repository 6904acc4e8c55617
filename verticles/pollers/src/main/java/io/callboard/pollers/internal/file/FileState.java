package io.callboard.pollers.internal.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Size and time of a file that somebody may still be writing. It is kept beside the file while that
 * waits, so that whoever takes it then, on any node, sees whether it has changed since.
 */
record FileState(long size, long modifiedNanos) {
  private static final String NAME = ".settling";
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) (-?\\d{1,19})\n");

  static FileState of(BasicFileAttributes attributes) {
    return new FileState(attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  static FileState of(Path file) throws IOException {
    return of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
  }

  /** Returns the state that is kept in the directory of a file; empty if there is none. */
  static Optional<FileState> keptIn(Path directory) throws IOException {
    try {
      byte[] text = FileTrees.read(directory.resolve(NAME), 100);
      Matcher matcher = TEXT.matcher(new String(text, StandardCharsets.US_ASCII));
      return matcher.matches()
          ? Optional.of(
              new FileState(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
          : Optional.of(new FileState(-1, 0)); // no file is so: the machine has crashed
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void keepIn(Path directory, String writer) throws IOException {
    byte[] text = "%d %d\n".formatted(size, modifiedNanos).getBytes(StandardCharsets.US_ASCII);
    FileTrees.write(directory, NAME, text, writer);
  }

  static void forgetIn(Path directory) throws IOException {
    boolean unused = Files.deleteIfExists(directory.resolve(NAME));
  }
}
