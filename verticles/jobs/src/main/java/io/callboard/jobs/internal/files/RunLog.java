package io.callboard.jobs.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Output of one run. Its processes append to it, also while it is cut or read here; that needs no
 * lock, since an append goes to the end at that moment.
 */
public final class RunLog {
  /** Minimum space for the line in the gap, so that a cut always shortens. */
  private static final int GAP_ROOM = 64;

  private static final Pattern GAP =
      Pattern.compile("\\n\\[callboard: (\\d{1,18}) bytes left out]\\n");

  private final Path file;
  private final LogLimits limits;

  /** Gap in the log; null while nothing was cut out. */
  private @Nullable Gap gap;

  /**
   * Gap in the log.
   *
   * @param leftOut number of bytes left out
   * @param bytes length of the line that says so
   */
  private record Gap(long leftOut, int bytes) {
    static final Gap NONE = new Gap(0, 0);

    byte[] line() {
      return ("\n[callboard: " + leftOut + " bytes left out]\n").getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Creates the view of a log; touches no file. */
  public RunLog(Path file, LogLimits limits) {
    this.file = file;
    this.limits = limits;
  }

  /** Cuts the log if it has outgrown the limit for a live run. */
  public void boundLive() throws IOException {
    bound(Math.max(limits.live(), keptBytes()));
  }

  /** Cuts the log if it has outgrown what is kept. */
  public void boundEnded() throws IOException {
    bound(keptBytes());
  }

  private long keptBytes() {
    return (long) limits.head() + limits.tail() + GAP_ROOM;
  }

  private synchronized void bound(long limit) throws IOException {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) <= limit) {
        return; // a file that is no log of Callboard is not cut
      }
      try (FileChannel log =
          RegularFile.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        cut(log);
      }
    } catch (NoSuchFileException e) {
      return; // the job removed it
    }
  }

  // in this order: an append that waits while a huge file is truncated comes after the tail
  private void cut(FileChannel log) throws IOException {
    long size = log.size();
    byte[] tail = read(log, size - limits.tail(), limits.tail());
    // a node that died may have cut it before
    Gap before = gap == null ? gap(log, size) : gap;
    Gap now = new Gap(before.leftOut() + size - limits.head() - limits.tail() - before.bytes(), 0);
    byte[] line = now.line();
    gap = new Gap(now.leftOut(), line.length);
    writeAll(log, limits.head(), line);
    writeAll(log, limits.head() + line.length, tail);
    FileChannel unused = log.truncate(limits.head() + line.length + tail.length);
  }

  /** Appends a line of the node to the log. */
  public void append(String line) throws IOException {
    Files.writeString(
        file,
        line + '\n',
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the last {@code maxBytes} at this time; empty if there is no log. */
  public LogText last(int maxBytes) throws IOException {
    try (FileChannel in = RegularFile.open(file, StandardOpenOption.READ)) {
      long size = in.size();
      byte[] bytes = read(in, Math.max(0, size - maxBytes), (int) Math.min(size, maxBytes));
      String text = new String(bytes, StandardCharsets.UTF_8);
      return new LogText(text, size, bytes.length >= size);
    } catch (NoSuchFileException e) {
      return new LogText("", 0, true);
    }
  }

  /**
   * Returns what is kept from {@code offset} on, at this time.
   *
   * @param offset position, from the end if negative; behind the end there is nothing
   */
  LogBytes from(long offset, int maxBytes) throws IOException {
    try (FileChannel in = RegularFile.open(file, StandardOpenOption.READ)) {
      long size = in.size();
      long begin = offset < 0 ? Math.max(0, size + offset) : offset;
      byte[] bytes =
          begin >= size ? new byte[0] : read(in, begin, (int) Math.min(size - begin, maxBytes));
      return new LogBytes(bytes, begin, size, written(in, size));
    } catch (NoSuchFileException e) {
      return new LogBytes(new byte[0], Math.max(0, offset), 0, 0);
    }
  }

  private long written(FileChannel in, long size) throws IOException {
    Gap now = gap(in, size);
    return size - now.bytes() + now.leftOut();
  }

  /** Returns the gap that the line in the log describes. */
  private Gap gap(FileChannel in, long size) throws IOException {
    if (size <= limits.head()) {
      return Gap.NONE;
    }
    String text = new String(read(in, limits.head(), GAP_ROOM), StandardCharsets.UTF_8);
    Matcher line = GAP.matcher(text);
    return line.lookingAt() ? new Gap(Long.parseLong(line.group(1)), line.end()) : Gap.NONE;
  }

  /** Returns the last lines at this time, within the last {@code maxBytes}. */
  public LogText tail(int lines, int maxBytes) throws IOException {
    return last(maxBytes).tail(lines);
  }

  private static byte[] read(FileChannel in, long from, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining() && in.read(buffer, from + buffer.position()) > 0) {}
    // shorter than a moment ago if it was cut meanwhile
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static void writeAll(FileChannel out, long at, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      int written = out.write(buffer, at + buffer.position());
      if (written < 0) {
        throw new IOException("cannot write a log");
      }
    }
  }
}
