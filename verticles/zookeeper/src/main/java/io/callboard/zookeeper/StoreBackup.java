package io.callboard.zookeeper;

import io.callboard.zookeeper.internal.server.StoreFiles;
import io.callboard.zookeeper.internal.server.TxnLogScan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A copy of an embedded server's store in one ZIP file, made while the server runs: the newest
 * whole snapshot, and the log behind it up to the last whole transaction.
 */
public final class StoreBackup {
  private static final String REACHED = "reached";
  private static final Pattern ENTRY =
      Pattern.compile(StoreFiles.VERSION + "/(log|snapshot)\\.[0-9a-f]{1,16}");

  /**
   * Attempts of a copy: the server removes old files now and then, and a removed one is no longer
   * needed.
   */
  private static final int ATTEMPTS = 5;

  private StoreBackup() {}

  /**
   * Writes {@code file}, which must not be there.
   *
   * @param store the directory that the server was given
   * @return the last transaction in it
   */
  public static long write(Path store, Path file) throws IOException {
    if (Files.exists(file)) {
      throw new IOException("%s exists already: give the name of a new file".formatted(file));
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      long last = writeOften(store, part);
      Path unused = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return last;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static long writeOften(Path store, Path part) throws IOException {
    NoSuchFileException vanished = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return writeOnce(StoreFiles.of(store), part);
      } catch (NoSuchFileException e) {
        vanished = e;
      }
    }
    throw new IOException(
        "files of %s were removed while they were copied: run the backup again".formatted(store),
        vanished);
  }

  private static long writeOnce(StoreFiles files, Path part) throws IOException {
    long snapshot =
        files.snapshots().isEmpty()
            ? 0
            : StoreFiles.zxid(files.snapshots().get(0), StoreFiles.SNAPSHOT);
    List<TxnLogScan> logs = whole(files.logsFrom(snapshot));
    long last = logs.stream().mapToLong(TxnLogScan::last).max().orElse(0);
    if (last < snapshot) {
      last = snapshot;
    }
    try (OutputStream out = Files.newOutputStream(part);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      if (!files.snapshots().isEmpty()) {
        Path newest = files.snapshots().get(0);
        put(zip, newest, Files.size(newest));
      }
      for (TxnLogScan log : logs) {
        put(zip, log.file(), log.wholeBytes());
      }
      zip.putNextEntry(new ZipEntry(REACHED));
      zip.write("0x%x\n".formatted(last).getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    return last;
  }

  /** Logs that are intact. The last may end with a record that is being written. */
  private static List<TxnLogScan> whole(List<Path> logs) throws IOException {
    List<TxnLogScan> whole = new ArrayList<>();
    for (int i = 0; i < logs.size(); i++) {
      TxnLogScan scan = TxnLogScan.of(logs.get(i));
      boolean underWay = i == logs.size() - 1 && scan.behind() == 0;
      if (scan.isDamaged() && !underWay) {
        scan = TxnLogScan.of(logs.get(i)); // it may have been written meanwhile
        if (scan.isDamaged()) {
          throw new IOException(
              "%s: %s; a backup of a damaged log is of no use: repair it first (callboard repair)"
                  .formatted(scan.file(), scan.damage().orElse("")));
        }
      }
      if (scan.last() != 0) {
        whole.add(scan);
      }
    }
    return whole;
  }

  private static void put(ZipOutputStream zip, Path file, long bytes) throws IOException {
    zip.putNextEntry(new ZipEntry(StoreFiles.VERSION + "/" + file.getFileName()));
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      long left = bytes;
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new IOException("%s was truncated while it was copied".formatted(file));
        }
        zip.write(buffer, 0, read);
        left -= read;
      }
    }
    zip.closeEntry();
  }

  /**
   * Puts a backup in the place of a stopped server's store; what is there is moved to {@code
   * <store>.before}, once all of the backup was read.
   *
   * @return the last transaction in it
   */
  public static long restore(Path file, Path store) throws IOException {
    Path before = store.resolveSibling(store.getFileName() + ".before");
    Path fresh = store.resolveSibling(store.getFileName() + ".restored");
    if (Files.exists(before)) {
      throw new IOException(
          "%s exists from an earlier restore: move it away first".formatted(before));
    }
    delete(fresh); // of a restore that was broken off
    long last;
    try {
      last = unpack(file, fresh);
    } catch (IOException e) {
      delete(fresh);
      throw e;
    }
    if (Files.exists(store)) {
      Path unused = Files.move(store, before);
    }
    Path unused = Files.move(fresh, store);
    return last;
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static long unpack(Path file, Path into) throws IOException {
    Files.createDirectories(into.resolve(StoreFiles.VERSION));
    long last = 0;
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals(REACHED)) {
          String text = new String(zip.readAllBytes(), StandardCharsets.UTF_8).strip();
          last = Long.parseUnsignedLong(text.substring(2), 16);
        } else if (ENTRY.matcher(entry.getName()).matches()) {
          Files.copy(zip, into.resolve(entry.getName()));
        } else {
          throw new IOException("it holds %s".formatted(entry.getName()));
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "%s is not a complete backup of a cell: %s".formatted(file, e.getMessage()), e);
    }
    if (last == 0) {
      throw new IOException(
          "%s is not a complete backup of a cell: its end is missing".formatted(file));
    }
    return last;
  }
}
