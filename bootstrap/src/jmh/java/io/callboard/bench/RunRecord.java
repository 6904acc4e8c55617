package io.callboard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Record of begins and ends of simulated runs in a file, which survives the death of its JVM: the
 * kernel has each entry when the run goes on. Times are those of {@link System#nanoTime}, which all
 * JVMs of a machine share. Thread-safe.
 */
final class RunRecord implements AutoCloseable {
  private static final int ENTRY = Long.BYTES + 4 + 2 * Integer.BYTES;

  private final FileChannel file;
  private int runs;

  /**
   * Begin or end of a run.
   *
   * @param atNs time
   * @param begins whether it begins
   * @param type index of its type
   * @param labelled whether its job has the label that has a limit
   * @param host number of its host
   * @param run number of the run within its file
   * @param millis time that it was to take
   */
  record Entry(
      long atNs, boolean begins, int type, boolean labelled, int host, int run, int millis) {}

  RunRecord(Path path) throws IOException {
    file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Adds the begin of a run, and returns its number. */
  synchronized int begins(int type, boolean labelled, int host, int millis) {
    int run = runs++;
    write(new Entry(System.nanoTime(), true, type, labelled, host, run, millis));
    return run;
  }

  /** Adds the end of a run. */
  synchronized void ends(int run, int type, boolean labelled, int host, int millis) {
    write(new Entry(System.nanoTime(), false, type, labelled, host, run, millis));
  }

  private void write(Entry entry) {
    ByteBuffer bytes = ByteBuffer.allocate(ENTRY);
    bytes.putLong(entry.atNs());
    bytes.put((byte) (entry.begins() ? 1 : 0));
    bytes.put((byte) entry.type());
    bytes.put((byte) (entry.labelled() ? 1 : 0));
    bytes.put((byte) entry.host());
    bytes.putInt(entry.run());
    bytes.putInt(entry.millis());
    bytes.flip();
    try {
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the entries of a file, in their order; a torn last one is left out. */
  static List<Entry> read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
    List<Entry> entries = new ArrayList<>();
    while (bytes.remaining() >= ENTRY) {
      entries.add(
          new Entry(
              bytes.getLong(),
              bytes.get() == 1,
              bytes.get(),
              bytes.get() == 1,
              bytes.get(),
              bytes.getInt(),
              bytes.getInt()));
    }
    return entries;
  }

  /** Returns the name of the file of a node. */
  static String name(String node) {
    return node + ".runs";
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
