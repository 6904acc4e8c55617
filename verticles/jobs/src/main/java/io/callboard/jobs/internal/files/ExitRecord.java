package io.callboard.jobs.internal.files;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * Outcome of a run, as its control directory holds it: one line, the code and perhaps a reason.
 * Written by the shim (the code alone) or, where the shim could not, by the node.
 *
 * @param exitCode exit code of the command
 * @param error reason, for people; empty if the code says all
 * @param endedAt time at which the record was written, by the clock of the file system
 */
public record ExitRecord(int exitCode, Optional<String> error, Instant endedAt) {
  private static final String NAME = "exit";
  private static final int MAX_CHARS = 4096;

  /** Returns the record; empty if there is none, or only an incomplete one. Blocks. */
  public static Optional<ExitRecord> read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    String text;
    Instant endedAt;
    try (FileChannel in = RegularFile.open(file, StandardOpenOption.READ)) {
      if (in.size() > MAX_CHARS) {
        return Optional.empty();
      }
      text = new String(Channels.newInputStream(in).readAllBytes(), StandardCharsets.UTF_8);
      endedAt = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    if (!text.endsWith("\n")) {
      return Optional.empty();
    }
    String[] codeAndError = text.strip().split(" ", 2);
    try {
      int exitCode = Integer.parseInt(codeAndError[0]);
      Optional<String> error =
          codeAndError.length > 1 ? Optional.of(codeAndError[1]) : Optional.empty();
      return Optional.of(new ExitRecord(exitCode, error, endedAt));
    } catch (NumberFormatException e) {
      return Optional.empty(); // not written by a shim: no outcome
    }
  }

  /** Removes the record, if there is one. Blocks. */
  public static void remove(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NAME));
  }

  /** Writes the record atomically, with the reason cut to 512 characters. Blocks. */
  public static void write(Path directory, int exitCode, String error) throws IOException {
    String oneLine = error.replaceAll("\\s+", " ");
    if (oneLine.length() > MAX_CHARS / 8) {
      oneLine = oneLine.substring(0, MAX_CHARS / 8) + '…';
    }
    Path next = directory.resolve(NAME + ".tmp");
    Files.writeString(next, (exitCode + " " + oneLine).strip() + '\n');
    Files.move(
        next,
        directory.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
