package io.callboard.pollers.internal.file;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.internal.file.Candidates.Candidate;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes files as messages, for one poll at a time. Blocks. Not thread-safe. */
final class Deliveries {
  private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

  /** Time after which a poll takes no more. */
  private static final Duration LONGEST_POLL = Duration.ofSeconds(3);

  /** Time after which a listing goes on with what it has found. */
  private static final Duration LONGEST_LISTING = Duration.ofMillis(1_500);

  /** A file that cannot be read is tried again after this time, and then set aside. */
  private static final Duration UNREADABLE = Duration.ofMinutes(1);

  private static final int UNREADABLE_ATTEMPTS = 5;
  private static final int LONGEST_PATH = 250;

  private final DirectorySettings settings;
  private final Spool spool;
  private final Time time;
  private final Candidates candidates;
  private final SpoolLeases leases;
  private final FailedFiles untakeable;
  private final FileTroubles troubles;

  Deliveries(DirectorySettings settings, Spool spool, Time time) {
    this.settings = settings;
    this.spool = spool;
    this.time = time;
    this.leases = new SpoolLeases(time);
    this.untakeable = new FailedFiles(time);
    this.troubles = new FileTroubles(settings.path(), time);
    this.candidates = new Candidates(settings, time, troubles);
  }

  /** One poll. */
  private static final class Batch {
    private final List<SourceMessage> messages = new ArrayList<>();
    private final int most;
    private final BooleanSupplier isLate;
    private long bytes;

    Batch(int most, BooleanSupplier isLate) {
      this.most = most;
      this.isLate = isLate;
    }

    boolean isFull() {
      return messages.size() >= most || bytes >= Source.MOST_BYTES || isLate.getAsBoolean();
    }
  }

  /** Says whether a file that was taken is no longer written, as far as one can see. */
  @FunctionalInterface
  private interface Check {
    boolean isSettled(TakenName name, FileState now) throws IOException;
  }

  /** Returns what says whether a time that begins now is over. */
  private BooleanSupplier timer(Duration length) {
    long beganNanos = time.nanoTime();
    return () -> time.nanoTime() - beganNanos > length.toNanos();
  }

  /** Takes at most {@code most} messages: first what comes back, then new ones. */
  List<SourceMessage> take(int most) throws IOException {
    try {
      return taken(most);
    } finally {
      troubles.update();
    }
  }

  /** Returns which files cannot be delivered, though others are; empty if there are none. */
  Optional<String> trouble() {
    return troubles.first();
  }

  private List<SourceMessage> taken(int most) throws IOException {
    Batch batch = new Batch(most, timer(LONGEST_POLL));
    List<TakenName> over = leases.over(spool.taken());
    long nowMillis = time.clock().millis();
    for (WaitingName waiting : spool.waiting()) {
      if (batch.isFull() || waiting.dueMillis() > nowMillis) {
        break;
      }
      add(batch, spool.take(waiting), this::isAsItWasGivenBack);
    }
    for (TakenName name : over) {
      if (batch.isFull()) {
        break;
      }
      // who had it may have died before it has checked it
      add(batch, spool.take(name), (its, now) -> its.deliveries() > 2);
    }
    takeNew(batch);
    return batch.messages;
  }

  private void takeNew(Batch batch) throws IOException {
    if (batch.isFull()) {
      return;
    }
    candidates.look(timer(LONGEST_LISTING));
    boolean hasFailed = false;
    Candidate next;
    while (!batch.isFull() && (next = candidates.next()) != null) {
      Candidate candidate = next;
      if (untakeable.has(candidate.path())) {
        continue;
      }
      try {
        FileTrees.checkReadable(settings.path().resolve(candidate.path()));
        Optional<TakenName> taken = spool.take(candidate.path());
        untakeable.taken(candidate.path());
        troubles.remove(candidate.path());
        add(batch, taken, (name, now) -> candidate.isAs(now));
      } catch (IOException e) {
        spool.away(e);
        hasFailed = true;
        Duration pause = untakeable.add(candidate.path());
        String cause = "it cannot be taken, and is left alone for %s: %s".formatted(pause, e);
        log.warn("{}: {}", settings.path().resolve(candidate.path()), cause);
        troubles.add(candidate.path(), cause, true, pause);
      }
    }
    // to fail would give back what is taken, and help nothing
    if (hasFailed && !spool.hasTaken()) {
      spool.probe();
    }
  }

  private boolean isAsItWasGivenBack(TakenName name, FileState now) throws IOException {
    return FileState.keptIn(spool.of(name)).map(now::equals).orElse(true);
  }

  private void add(Batch batch, Optional<TakenName> taken, Check check) throws IOException {
    if (taken.isEmpty()) {
      return;
    }
    TakenName name = taken.get();
    Optional<Path> file = Optional.empty();
    try {
      file = FileTrees.fileIn(spool.of(name));
      if (file.isEmpty()) {
        spool.complete(name.receipt(), false); // a crash was between directory and file
        return;
      }
      FileTrees.checkReadable(file.get()); // a node in another locale may have taken it
      FileState state = FileState.of(file.get());
      if (settings.settle().isZero() || check.isSettled(name, state)) {
        FileState.forgetIn(spool.of(name));
        read(batch, name, file.get());
      } else {
        state.keepIn(spool.of(name), name.receipt());
        spool.giveBack(name.receipt(), settings.settle(), false);
      }
    } catch (IOException e) {
      unreadable(name, file.orElse(spool.of(name)), e);
    }
  }

  private void read(Batch batch, TakenName name, Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Path own = file.getFileName();
    if (!attributes.isRegularFile()) {
      aside(name, file, own + " is no regular file");
    } else if (attributes.size() > settings.maxSize()) {
      aside(
          name,
          file,
          "%s has %,d bytes; the source takes files up to %,d bytes (setting maxSize)"
              .formatted(own, attributes.size(), settings.maxSize()));
    } else {
      byte[] content = FileTrees.read(file, settings.maxSize() + 1);
      if (content.length > settings.maxSize()) {
        aside(name, file, own + " has grown over the setting maxSize while it was read");
      } else {
        troubles.remove(spool.of(name).relativize(file));
        batch.bytes += content.length;
        batch.messages.add(message(name, file, attributes, content));
      }
    }
  }

  /** Sets aside; what cannot be is taken again when its lease is over, and holds no other. */
  private void aside(TakenName name, Path file, String why) throws NoSuchFileException {
    Path path = spool.of(name).relativize(file);
    log.warn("a file of {} is set aside: {}", settings.path(), why);
    try {
      spool.dead(name.receipt(), why);
      troubles.remove(path);
    } catch (NoSuchFileException e) {
      throw e; // the directory itself is away
    } catch (IOException e) {
      String cause = "it cannot be set aside: %s (it is set aside because %s)".formatted(e, why);
      log.warn("{} of {}: {}", path, settings.path(), cause);
      troubles.add(path, cause, false, settings.lease());
    }
  }

  private void unreadable(TakenName name, Path file, IOException cause) throws IOException {
    String why = "it cannot be read: " + cause;
    if (name.deliveries() >= UNREADABLE_ATTEMPTS) {
      aside(name, file, why);
    } else {
      Path path = spool.of(name).relativize(file);
      log.warn("{} of {}: {}", path, settings.path(), why);
      troubles.add(path, why, false, UNREADABLE);
      spool.giveBack(name.receipt(), UNREADABLE, true);
    }
  }

  private SourceMessage message(
      TakenName name, Path file, BasicFileAttributes attributes, byte[] content) {
    String path = unix(spool.of(name).relativize(file));
    FileTime modified = attributes.lastModifiedTime();
    return new SourceMessage(
        id(path, attributes, content),
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

  /** The content is part of it, because times may be coarse and sizes equal. */
  private static String id(String path, BasicFileAttributes attributes, byte[] content) {
    FileState state = FileState.of(attributes);
    String all = "%s/%d/%d/".formatted(path, state.size(), state.modifiedNanos());
    String end = CutText.tail(path, LONGEST_PATH);
    String digest = Digest.whole(all.getBytes(StandardCharsets.UTF_8), content);
    return end + ":" + digest.substring(0, 24);
  }

  /** Returns the number of waiting files that could be counted in time; empty if none could. */
  OptionalLong waiting() throws IOException {
    OptionalLong files = candidates.count(timer(LONGEST_LISTING));
    return files.isEmpty() ? files : OptionalLong.of(files.getAsLong() + spool.waiting().size());
  }

  /** Ends the listing. */
  void close() throws IOException {
    candidates.close();
  }
}
