package io.callboard.jobs.internal.files;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files that a run writes into its directory for its job. A run writes each beside its name and
 * renames it, so that a look finds it whole. Blocks.
 */
public final class RunFiles {
  /** Name of the file with the progress of a run. */
  public static final String PROGRESS = "progress";

  /** Name of the file with the checkpoint of a run, which the next run finds there. */
  public static final String CHECKPOINT = "checkpoint";

  /** Name of the file with the result of a run. */
  public static final String RESULT = "result";

  /** Maximum size of each in bytes; a larger one is refused. */
  public static final int MOST_BYTES = 64 << 10;

  /** Maximum number of characters of a progress that people see. */
  public static final int MOST_PROGRESS = 500;

  /** Number of bytes of the end of a log that are kept with the job. */
  public static final int LOG_END_BYTES = 4 << 10;

  private final RunHome home;

  /** Creates the view of a home; touches no file. */
  public RunFiles(RunHome home) {
    this.home = home;
  }

  /** Returns the text of a progress for people: one line, cut to {@value #MOST_PROGRESS}. */
  public static String text(FileContent progress) {
    return line(progress.text());
  }

  /** Returns a text as one line, cut to {@value #MOST_PROGRESS}. */
  public static String line(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ").strip();
    return line.length() <= MOST_PROGRESS ? line : CutText.head(line, MOST_PROGRESS) + '…';
  }

  /** Returns a file of a run; its content only if it is not {@code known}. */
  FileLook look(RunKey key, String name, @Nullable FileStamp known) {
    Path directory = home.directory(key);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return FileLook.NONE; // the job removed or replaced it
    }
    Path file = directory.resolve(name);
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      FileStamp stamp = FileStamp.of(found);
      if (found.isDirectory() || stamp.equals(known)) {
        return new FileLook(found.isDirectory() ? null : stamp, null, null);
      } else if (!found.isRegularFile()) {
        String why = "its file %s is a link or a special file, which is not read".formatted(name);
        return new FileLook(stamp, null, why);
      }
      byte[] bytes = read(file);
      return bytes.length > MOST_BYTES
          ? new FileLook(stamp, null, tooLarge(name))
          : new FileLook(stamp, FileContent.of(bytes), null);
    } catch (NoSuchFileException e) {
      return FileLook.NONE; // also if it is being replaced: the next look finds it
    } catch (IOException e) {
      return new FileLook(null, null, "its file %s cannot be read: %s".formatted(name, e));
    }
  }

  private static String tooLarge(String name) {
    return "its file %s is not kept: it has more than %d bytes".formatted(name, MOST_BYTES);
  }

  /** Returns at most one byte more than is kept. */
  private static byte[] read(Path file) throws IOException {
    try (FileChannel in = RegularFile.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(in.size(), MOST_BYTES) + 1);
      while (buffer.hasRemaining() && in.read(buffer) >= 0) {}
      return Arrays.copyOf(buffer.array(), buffer.position());
    }
  }

  /** Returns what a run left when it ended; a result only if it succeeded. */
  public RunOutput output(RunKey key, RunLog log, boolean succeeded) {
    List<String> refused = new ArrayList<>();
    Function<String, @Nullable FileContent> content =
        name -> {
          FileLook look = look(key, name, null);
          if (look.refusal() != null) {
            refused.add(look.refusal());
          }
          return look.content();
        };
    FileContent progress = content.apply(PROGRESS);
    FileContent checkpoint = content.apply(CHECKPOINT);
    int others = refused.size();
    FileContent result = succeeded ? content.apply(RESULT) : null;
    return new RunOutput(
        progress == null ? null : text(progress),
        checkpoint,
        result,
        logEnd(log),
        refused,
        refused.size() > others ? refused.get(others) : null);
  }

  /** Returns the end of a log that is kept with the job; null if there is none. Blocks. */
  public static @Nullable FileContent logEnd(RunLog log) {
    byte[] end;
    try {
      end = log.from(-LOG_END_BYTES, LOG_END_BYTES).bytes();
    } catch (IOException e) {
      return null; // who asks for the log learns why it cannot be read
    }
    int from = 0;
    boolean cut = end.length == LOG_END_BYTES;
    while (cut && from < 3 && (end[from] & 0xC0) == 0x80) {
      from++; // the rest of a character of which the beginning is cut off
    }
    return end.length == 0 ? null : FileContent.of(Arrays.copyOfRange(end, from, end.length));
  }
}
