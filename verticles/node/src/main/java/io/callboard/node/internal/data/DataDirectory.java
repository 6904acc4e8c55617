package io.callboard.node.internal.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Data directory of a node, held by an exclusive lock that ends with the process. Its identity,
 * {@code home-id}, survives restarts: the holder of the lock knows that any earlier holder is dead.
 * A copy is refused while its original is in use.
 */
public final class DataDirectory implements AutoCloseable {
  /** Format that this version writes; it reads this and every older one. */
  static final int FORMAT = 1;

  static final String LOCK = "lock";
  static final String HOME_ID = "home-id";

  /** Name of the directory in which the embedded server keeps its store. */
  public static final String ZOOKEEPER = "zookeeper";

  /** Maximum number of former names of a node that its directory keeps, the last ones. */
  static final int FORMER_NAMES = 8;

  private static final String NODE_NAME = "node-name";
  private static final String REACHED = "zookeeper-reached";

  private final Path path;
  private final FileChannel lockFile;
  private final String homeId;

  private DataDirectory(Path path, FileChannel lockFile, String homeId) {
    this.path = path;
    this.lockFile = lockFile;
    this.homeId = homeId;
  }

  /**
   * Creates the directory if it does not exist, and locks it; fails with a {@link
   * DataDirectoryException}.
   */
  public static DataDirectory open(Path given) {
    Path path = given.toAbsolutePath().normalize();
    try {
      Files.createDirectories(path);
      FileChannel lockFile = lock(path);
      try {
        checkFormat(path);
        checkNames(path);
        String homeId = identity(path);
        checkAlone(path, homeId);
        return new DataDirectory(path, lockFile, homeId);
      } catch (IOException | RuntimeException e) {
        lockFile.close();
        throw e;
      }
    } catch (FileAlreadyExistsException e) {
      if (Files.isSymbolicLink(path) && Files.notExists(path)) {
        throw DataDirectoryException.unusable(
            "the data directory %s is a link to %s, which does not exist"
                .formatted(path, target(path)));
      }
      throw DataDirectoryException.unusable("the data directory %s is a file".formatted(path));
    } catch (AccessDeniedException e) {
      throw DataDirectoryException.unusable(
          "the data directory %s cannot be written: access denied".formatted(path));
    } catch (NoSuchFileException e) {
      throw DataDirectoryException.unusable(
          "the data directory %s cannot be created: nothing can be created in %s"
              .formatted(path, path.getParent()));
    } catch (IOException e) {
      throw DataDirectoryException.unusable(
          "the data directory %s cannot be used: %s".formatted(path, FileFailure.reason(e)));
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) { // it has gone meanwhile
      return "nothing";
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (AccessDeniedException e) {
      throw e; // to all of the directory
    } catch (IOException e) {
      throw new IOException("%s cannot be opened: %s".formatted(file, FileFailure.reason(e)), e);
    }
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw held(path, channel);
      }
    } catch (OverlappingFileLockException e) {
      throw held(path, channel);
    }
    channel.truncate(0);
    byte[] pid = String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.wrap(pid), 0);
    return channel;
  }

  private static DataDirectoryException held(Path path, FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(20);
    channel.read(pid, 0);
    channel.close();
    return DataDirectoryException.unusable(
        "the data directory %s is in use by process %s"
            .formatted(path, new String(pid.array(), 0, pid.position(), StandardCharsets.UTF_8)));
  }

  /**
   * Refuses a second process with the same identity, as each would take the other's runs for its
   * own.
   */
  private static void checkAlone(Path path, String homeId) throws IOException {
    CopiedDirectories.Held twin = CopiedDirectories.twinOf(homeId, path).orElse(null);
    if (twin == null) {
      return;
    }
    throw twin.path().equals(path)
        ? DataDirectoryException.unusable(
            "the data directory %s is in use by process %d, though its lock file was deleted"
                .formatted(path, twin.pid()))
        : DataDirectoryException.content(
            "the data directory %s has the identity of %s, which process %d uses: one is a copy of the other; stop that process, or delete %s to make this a node of its own"
                .formatted(path, twin.path(), twin.pid(), path.resolve(HOME_ID)));
  }

  private static void checkFormat(Path path) throws IOException {
    Path file = path.resolve("format");
    if (!Files.exists(file)) {
      write(file, String.valueOf(FORMAT));
      return;
    }
    String text = read(file).strip();
    if (!text.matches("\\d{1,9}")) {
      throw DataDirectoryException.content(
          "%s is damaged: it must hold a format number".formatted(file));
    }
    if (Integer.parseInt(text) > FORMAT) {
      throw DataDirectoryException.content(
          "the data directory %s has format %s, this version reads up to %d: use the newer version that wrote it"
              .formatted(path, text, FORMAT));
    }
  }

  private static String identity(Path path) throws IOException {
    Path file = path.resolve(HOME_ID);
    if (!Files.exists(file)) {
      write(file, UUID.randomUUID().toString());
    }
    String id = read(file).strip();
    if (!id.matches("[0-9a-f-]{36}")) {
      throw DataDirectoryException.content("%s is damaged: it must hold a UUID".formatted(file));
    }
    return id;
  }

  /** Reads a file; a failure names it. */
  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IOException("%s cannot be read: %s".formatted(file, FileFailure.reason(e)), e);
    }
  }

  /**
   * Writes a file completely or not at all; a failure names the file, as that of a full disk does
   * not.
   */
  private static void write(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(
          next,
          text + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IOException("%s cannot be written: %s".formatted(file, FileFailure.reason(e)), e);
    }
  }

  private static void checkNames(Path path) throws IOException {
    try {
      var unused = NodeNameRecord.read(path.resolve(NODE_NAME));
    } catch (IllegalArgumentException e) {
      throw DataDirectoryException.content(e.getMessage() + "; delete it, and name the node");
    }
  }

  /**
   * Returns the name under which a node was last started with a directory, which need not be held;
   * empty if none is recorded, or that cannot be read, which {@link #open} reports.
   */
  public static Optional<String> nodeName(Path directory) {
    try {
      return NodeNameRecord.read(directory.resolve(NODE_NAME)).map(NodeNameRecord::name);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Records the name of the node that holds the directory.
   *
   * @return the former names, at most {@value #FORMER_NAMES}, each with when the node was first
   *     started with another one
   */
  public Map<String, Instant> called(String name, Instant now) throws IOException {
    Path file = path.resolve(NODE_NAME);
    Optional<NodeNameRecord> before = NodeNameRecord.read(file);
    NodeNameRecord after =
        before.map(names -> names.called(name, now)).orElse(new NodeNameRecord(name, Map.of()));
    if (!before.equals(Optional.of(after))) {
      write(file, after.text());
    }
    return after.former();
  }

  /** Returns the directory. */
  public Path path() {
    return path;
  }

  /** Returns its identity. */
  public String homeId() {
    return homeId;
  }

  /**
   * Returns the port that the embedded ZooKeeper used before, as neighbours may know it; empty if
   * none is recorded.
   */
  public Optional<Integer> zookeeperPort() throws IOException {
    Path file = path.resolve("zookeeper-port");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text = read(file).strip();
    return text.matches("\\d{1,5}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  /** Records the port of the embedded ZooKeeper. */
  public void zookeeperPort(int port) throws IOException {
    write(path.resolve("zookeeper-port"), String.valueOf(port));
  }

  /**
   * Returns the last transaction that the embedded ZooKeeper is known to have on disk, so that its
   * store is not older: 0 if it never ran here, 1 if it did, but an older version of the node
   * recorded nothing.
   */
  public long zookeeperReached() throws IOException {
    Path file = path.resolve(REACHED);
    if (!Files.exists(file)) {
      return zookeeperPort().isPresent() ? 1 : 0;
    }
    String text = read(file).strip();
    if (!text.matches("0x[0-9a-f]{1,16}")) {
      throw DataDirectoryException.content(
          "%s is damaged: it must hold a transaction number".formatted(file));
    }
    return Long.parseUnsignedLong(text.substring(2), 16);
  }

  /** Records the last transaction that the embedded ZooKeeper has on disk. */
  public void zookeeperReached(long zxid) throws IOException {
    write(path.resolve(REACHED), "0x" + Long.toHexString(zxid));
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
