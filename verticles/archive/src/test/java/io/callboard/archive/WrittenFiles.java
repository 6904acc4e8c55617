package io.callboard.archive;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.List;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Files of H2 that remember each write, in the order in which the operating system got them: what
 * it has of a process that was killed is a beginning of these. Public because H2 creates more of
 * it.
 */
public final class WrittenFiles extends FilePathWrapper {
  /** Scheme of their URLs. */
  static final String SCHEME = "written";

  private static final List<Write> WRITES = new ArrayList<>();

  /**
   * Write, or truncation.
   *
   * @param at position in the file; for a truncation its new size
   * @param bytes what was written; null for a truncation
   */
  record Write(long at, byte @Nullable [] bytes) {
    void repeat(RandomAccessFile file) throws IOException {
      if (bytes == null) {
        file.setLength(at);
      } else {
        file.seek(at);
        file.write(bytes);
      }
    }
  }

  /** Registers the scheme and forgets all writes. */
  static void begin() {
    FilePath.register(new WrittenFiles());
    synchronized (WRITES) {
      WRITES.clear();
    }
  }

  /** Returns the writes so far. */
  static List<Write> writes() {
    synchronized (WRITES) {
      return List.copyOf(WRITES);
    }
  }

  /** Returns the number of writes so far. */
  static int count() {
    synchronized (WRITES) {
      return WRITES.size();
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new Channel(getBase().open(mode));
  }

  /** File of which each change is remembered. */
  private static final class Channel extends FileBaseDefault {
    private final FileChannel file;

    Channel(FileChannel file) {
      this.file = file;
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      return file.read(into, at);
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
      ByteBuffer what = from.duplicate();
      synchronized (WRITES) {
        int written = file.write(from, at);
        byte[] bytes = new byte[written];
        what.get(bytes);
        WRITES.add(new Write(at, bytes));
        return written;
      }
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      synchronized (WRITES) {
        FileChannel unused = file.truncate(size);
        WRITES.add(new Write(size, null));
      }
    }

    @Override
    public void force(boolean metadata) throws IOException {
      file.force(metadata);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) throws IOException {
      return file.tryLock(at, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
