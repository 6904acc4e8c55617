package io.callboard.pollers.internal.file;

import io.callboard.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Places of the files of one directory: takes them, gives them back and ends them, each by one
 * rename. Blocks. Thread-safe.
 */
final class Spool {
  private static final String FORMAT = "1\n";

  /** No writing lasts as long. */
  static final Duration LONGEST_WRITING = Duration.ofHours(1);

  private final Path root;
  private final Path spool;
  private final String client;
  private final Duration lease;
  private final Time time;

  /** Names of the files that this client has taken, by receipt. */
  private final Map<String, TakenName> taken = new HashMap<>();

  private long numbers;

  /**
   * Creates a spool.
   *
   * @param client name of this client in the world: digits, lower-case letters and hyphens
   */
  Spool(Path root, String client, Duration lease, Time time) {
    this.root = root;
    this.spool = root.resolve(".callboard");
    this.client = client;
    this.lease = lease;
    this.time = time;
  }

  /** Place of a file. */
  enum Place {
    TAKEN,
    WAITING,
    ENDED,
    DONE,
    DEAD;

    private String directory() {
      return switch (this) {
        case TAKEN -> "taken";
        case WAITING -> "waiting";
        case ENDED -> "ended";
        case DONE -> "done";
        case DEAD -> "dead";
      };
    }
  }

  Path of(Place place) {
    return spool.resolve(place.directory());
  }

  /** Returns the directory of a taken file. */
  Path of(TakenName name) {
    return of(Place.TAKEN).resolve(name.toString());
  }

  /** Makes the places, and deletes what was ended before a crash. */
  void open() throws IOException {
    if (!Files.isDirectory(root)) {
      throw new NotDirectoryException(root.toString());
    }
    if (Files.isSymbolicLink(spool)) {
      throw new FileSystemException(spool.toString(), null, "is a symbolic link");
    }
    for (Place place : Place.values()) {
      Path unused = Files.createDirectories(of(place));
    }
    FileTrees.sweep(spool, time.clock().instant().minus(LONGEST_WRITING));
    format();
    for (Path left : list(Place.ENDED)) {
      FileTrees.delete(left);
    }
  }

  private void format() throws IOException {
    Path file = spool.resolve("format");
    if (!Files.exists(file)) {
      FileTrees.write(spool, "format", FORMAT.getBytes(StandardCharsets.UTF_8), client);
    }
    String found = Files.readString(file);
    if (!found.equals(FORMAT)) {
      throw new FileSystemException(
          file.toString(), null, "has format %s; this version reads 1".formatted(found.strip()));
    }
  }

  private List<Path> list(Place place) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(of(place))) {
      stream.forEach(paths::add);
    }
    return paths;
  }

  private <T> List<T> names(Place place, Function<String, Optional<T>> reader) throws IOException {
    return list(place).stream()
        .map(path -> path.getFileName().toString())
        .flatMap(name -> reader.apply(name).stream())
        .toList();
  }

  /** Returns the names of waiting files, those that are due first at the head. */
  List<WaitingName> waiting() throws IOException {
    return names(Place.WAITING, WaitingName::of).stream()
        .sorted(Comparator.comparingLong(WaitingName::dueMillis))
        .toList();
  }

  /** Returns the names of the files that all clients have taken. */
  List<TakenName> taken() throws IOException {
    return names(Place.TAKEN, TakenName::of);
  }

  private TakenName next(int deliveries) {
    numbers++;
    return new TakenName(client + "-" + numbers, deliveries, lease, 0);
  }

  /** Takes a file; empty if it is gone. */
  synchronized Optional<TakenName> take(Path relative) throws IOException {
    TakenName name = next(1);
    Path target = of(name).resolve(relative);
    Path own = Files.createDirectory(of(name));
    boolean isTaken = false;
    try {
      if (!own.equals(target.getParent())) {
        Path unused = Files.createDirectories(target.getParent());
      }
      isTaken = moves(root.resolve(relative), target);
    } finally {
      if (!isTaken) {
        FileTrees.delete(of(name));
      }
    }
    if (isTaken) {
      taken.put(name.receipt(), name);
    }
    return isTaken ? Optional.of(name) : Optional.empty();
  }

  /** Fails if there is no room for a file that is taken, whichever it is. */
  synchronized void probe() throws IOException {
    Files.delete(Files.createDirectory(of(next(1))));
  }

  /** Returns whether this client has taken a file that has not ended. */
  synchronized boolean hasTaken() {
    return !taken.isEmpty();
  }

  /** Takes a waiting file; empty if another client was first. */
  synchronized Optional<TakenName> take(WaitingName waiting) throws IOException {
    return take(of(Place.WAITING).resolve(waiting.toString()), waiting.deliveries());
  }

  /**
   * Takes a file over from another client; empty if a third one was first, or the other has
   * extended its lease.
   */
  synchronized Optional<TakenName> take(TakenName other) throws IOException {
    Optional<TakenName> name = take(of(other), other.deliveries());
    if (name.isPresent()) {
      taken.remove(other.receipt());
    }
    return name;
  }

  private Optional<TakenName> take(Path from, int deliveries) throws IOException {
    TakenName name = next(deliveries + 1);
    if (!moves(from, of(name))) {
      return Optional.empty();
    }
    taken.put(name.receipt(), name);
    return Optional.of(name);
  }

  /**
   * Extends the lease of a file.
   *
   * @return false if this client does not have the file any more
   */
  synchronized boolean extend(String receipt) throws IOException {
    TakenName name = taken.get(receipt);
    if (name == null) {
      return false;
    }
    TakenName extended = name.extended(lease);
    boolean kept = moves(of(name), of(extended));
    if (kept) {
      taken.put(receipt, extended);
    } else {
      taken.remove(receipt);
    }
    return kept;
  }

  /**
   * Gives a file back for delivery after {@code delay}, unless this client does not have it any
   * more.
   */
  synchronized void giveBack(String receipt, Duration delay, boolean counts) throws IOException {
    TakenName name = taken.get(receipt);
    if (name != null) {
      long due = time.clock().instant().plus(Time.atMostLongest(delay)).toEpochMilli();
      int deliveries = counts ? name.deliveries() : name.deliveries() - 1;
      WaitingName waiting = new WaitingName(due, deliveries, receipt);
      boolean unused = moves(of(name), of(Place.WAITING).resolve(waiting.toString()));
      taken.remove(receipt);
    }
  }

  /**
   * Completes a file: deletes it, or keeps it in {@code DONE}, unless this client does not have it
   * any more.
   */
  synchronized void complete(String receipt, boolean keep) throws IOException {
    Path end = of(keep ? Place.DONE : Place.ENDED).resolve(receipt);
    if (ends(receipt, end) && !keep) {
      FileTrees.delete(end);
    }
  }

  /** Sets a file aside with its cause, unless this client does not have it any more. */
  synchronized void dead(String receipt, String cause) throws IOException {
    TakenName name = taken.get(receipt);
    if (name == null) {
      return;
    }
    try {
      FileTrees.write(of(name), ".cause", FileTrees.text(cause), receipt);
    } catch (NoSuchFileException e) {
      away(e);
    }
    boolean unused = ends(receipt, of(Place.DEAD).resolve(receipt));
  }

  private boolean ends(String receipt, Path end) throws IOException {
    TakenName name = taken.get(receipt);
    boolean had = name != null && moves(of(name), end);
    taken.remove(receipt);
    return had;
  }

  /** Moves by one rename; returns false if there is nothing to move. */
  private boolean moves(Path from, Path to) throws IOException {
    try {
      Path unused = Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      away(e);
      return false;
    }
  }

  /** Throws {@code cause} unless all directories of the spool are there. */
  void away(IOException cause) throws IOException {
    for (Place place : Place.values()) {
      if (!Files.isDirectory(of(place), LinkOption.NOFOLLOW_LINKS)) {
        throw cause;
      }
    }
  }
}
