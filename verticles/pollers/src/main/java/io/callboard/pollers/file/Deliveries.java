package io.callboard.pollers.file;

import io.callboard.pollers.file.Candidates.Candidate;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Taking of files as messages, for one poll at a time. Blocks. Not thread-safe. */
final class Deliveries {
  private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

  /** Content after which a poll takes no more. */
  private static final long MOST_BYTES = 32L * 1024 * 1024;

  /** A file that cannot be read is tried again after this time, and then set aside. */
  private static final Duration UNREADABLE = Duration.ofMinutes(1);

  private static final int UNREADABLE_ATTEMPTS = 5;
  private static final int LONGEST_PATH = 250;

  private final DirectorySettings settings;
  private final Spool spool;
  private final Time time;
  private final Candidates candidates;
  private final SpoolLeases leases;

  Deliveries(DirectorySettings settings, Spool spool, Time time) {
    this.settings = settings;
    this.spool = spool;
    this.time = time;
    this.candidates = new Candidates(settings, time);
    this.leases = new SpoolLeases(time);
  }

  /** One poll. */
  private static final class Batch {
    private final List<SourceMessage> messages = new ArrayList<>();
    private final int most;
    private long bytes;

    Batch(int most) {
      this.most = most;
    }

    boolean isFull() {
      return messages.size() >= most || bytes >= MOST_BYTES;
    }
  }

  /** Takes at most {@code most} messages: first what comes back, then new ones. */
  List<SourceMessage> take(int most) throws IOException {
    Batch batch = new Batch(most);
    List<TakenName> over = leases.over(spool.taken());
    long nowMillis = time.clock().millis();
    for (WaitingName waiting : spool.waiting()) {
      if (batch.isFull() || waiting.dueMillis() > nowMillis) {
        break;
      }
      add(batch, spool.take(waiting));
    }
    for (TakenName name : over) {
      if (batch.isFull()) {
        break;
      }
      add(batch, spool.take(name));
    }
    takeNew(batch);
    return batch.messages;
  }

  private void takeNew(Batch batch) throws IOException {
    if (batch.isFull()) {
      return;
    }
    candidates.look();
    Candidate next;
    while (!batch.isFull() && (next = candidates.next()) != null) {
      Optional<TakenName> taken;
      try {
        taken = spool.take(next.path());
      } catch (IOException e) {
        if (batch.messages.isEmpty()) {
          throw e;
        }
        log.warn("{} cannot be taken: {}", settings.path().resolve(next.path()), e.toString());
        return; // the next poll says so, too
      }
      if (taken.isPresent() && hasChanged(taken.get(), next)) {
        spool.giveBack(taken.get().receipt(), settings.settle(), false);
      } else {
        add(batch, taken);
      }
    }
  }

  /** Returns whether somebody has written on while the file was taken. */
  private boolean hasChanged(TakenName name, Candidate as) throws IOException {
    BasicFileAttributes now = attributes(spool.of(name).resolve(as.path()));
    return !settings.settle().isZero() && !as.isAs(now.size(), now.lastModifiedTime());
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private void add(Batch batch, Optional<TakenName> taken) throws IOException {
    if (taken.isEmpty()) {
      return;
    }
    TakenName name = taken.get();
    try {
      Optional<Path> file = FileTrees.fileIn(spool.of(name));
      if (file.isPresent()) {
        read(batch, name, file.get());
      } else {
        spool.complete(name.receipt(), false); // a crash was between directory and file
      }
    } catch (IOException e) {
      unreadable(name, e);
    }
  }

  private void read(Batch batch, TakenName name, Path file) throws IOException {
    BasicFileAttributes attributes = attributes(file);
    Path own = file.getFileName();
    if (!attributes.isRegularFile()) {
      aside(name, own + " is no regular file");
    } else if (attributes.size() > settings.maxSize()) {
      aside(
          name,
          "%s has %,d bytes; the source takes files up to %,d bytes (setting maxSize)"
              .formatted(own, attributes.size(), settings.maxSize()));
    } else {
      byte[] content = FileTrees.read(file, settings.maxSize() + 1);
      if (content.length > settings.maxSize()) {
        aside(name, own + " has grown over the setting maxSize while it was read");
      } else {
        batch.bytes += content.length;
        batch.messages.add(message(name, file, attributes, content));
      }
    }
  }

  private void aside(TakenName name, String why) throws IOException {
    log.warn("a file of {} is set aside: {}", settings.path(), why);
    spool.dead(name.receipt(), why);
  }

  private void unreadable(TakenName name, IOException cause) throws IOException {
    if (name.deliveries() >= UNREADABLE_ATTEMPTS) {
      aside(name, "it cannot be read: " + cause);
    } else {
      log.warn("a file of {} cannot be read: {}", settings.path(), cause.toString());
      spool.giveBack(name.receipt(), UNREADABLE, true);
    }
  }

  private SourceMessage message(
      TakenName name, Path file, BasicFileAttributes attributes, byte[] content) {
    String path = unix(spool.of(name).relativize(file));
    FileTime modified = attributes.lastModifiedTime();
    return new SourceMessage(
        id(path, attributes),
        name.receipt(),
        Buffer.buffer(content),
        Map.of(
            "name",
            file.getFileName().toString(),
            "path",
            path,
            "size",
            Long.toString(attributes.size()),
            "modified",
            modified.toString()),
        name.deliveries(),
        modified.toInstant());
  }

  private static String unix(Path path) {
    return path.toString().replace(path.getFileSystem().getSeparator(), "/");
  }

  private static String id(String path, BasicFileAttributes attributes) {
    String all =
        "%s/%d/%d"
            .formatted(
                path, attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    String end = path.substring(Math.max(0, path.length() - LONGEST_PATH));
    return end + ":" + hash(all);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  /** Returns how many files wait, those that were given back too. */
  int waiting() throws IOException {
    return candidates.count() + spool.waiting().size();
  }
}
