package io.callboard.pollers.internal.file;

import io.callboard.pollers.internal.blocking.BlockingThreads;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Directory as a source, with threads of its own that block on the file system. */
final class DirectorySource implements Source {
  /** One for the poll, one for the lag, which both may take long, and one for all else. */
  private static final int THREADS = 3;

  private final DirectorySettings settings;
  private final Time time;
  private final String client;
  private final BlockingThreads threads;
  private final Spool spool;
  private final Deliveries deliveries;
  private final AtomicLong writings = new AtomicLong();
  private final Set<Path> swept = ConcurrentHashMap.newKeySet();

  /**
   * Creates a source.
   *
   * @param client name of this client in the world: digits, lower-case letters and hyphens
   */
  DirectorySource(Vertx vertx, String name, String client, DirectorySettings settings, Time time) {
    this.settings = settings;
    this.time = time;
    this.client = client;
    this.threads =
        new BlockingThreads(
            vertx, "source-" + name + "-" + client, THREADS, cause -> words(settings, cause));
    this.spool = new Spool(settings.path(), client, settings.lease(), time);
    this.deliveries = new Deliveries(settings, spool, time);
  }

  private static String words(DirectorySettings settings, Throwable cause) {
    String what = cause.toString();
    if (cause instanceof NotDirectoryException) {
      what = "there is no directory " + cause.getMessage();
    }
    return "the directory %s: %s".formatted(settings.path(), what);
  }

  private Future<Void> each(Collection<String> receipts, Step step) {
    List<String> copy = List.copyOf(receipts);
    return threads
        .run(
            () -> {
              for (String receipt : copy) {
                step.on(receipt);
              }
              return true;
            })
        .mapEmpty();
  }

  /** Action on one receipt. */
  @FunctionalInterface
  private interface Step {
    void on(String receipt) throws IOException;
  }

  @Override
  public Future<Void> open() {
    return each(List.of(""), receipt -> spool.open());
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    return threads.poll(time, () -> deliveries.take(most));
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    List<String> copy = List.copyOf(receipts);
    return threads.run(
        () -> {
          Set<String> lost = new HashSet<>();
          for (String receipt : copy) {
            if (!spool.extend(receipt)) {
              lost.add(receipt);
            }
          }
          return lost;
        });
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    return each(receipts, receipt -> spool.complete(receipt, settings.keep()));
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    return each(List.of(receipt), each -> spool.giveBack(each, delay, true));
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    return each(List.of(receipt), each -> spool.dead(each, cause));
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    return each(receipts, receipt -> spool.giveBack(receipt, Duration.ZERO, false));
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    byte[] content = message.body().getBytes();
    return each(List.of(target), each -> write(each, message.id(), content));
  }

  private void write(String target, String id, byte[] content) throws IOException {
    Path root =
        settings
            .emitTo()
            .orElseThrow(
                () -> new IOException("nothing is emitted to it without the setting emitTo"));
    if (!Files.isDirectory(root)) {
      throw new NotDirectoryException(root.toString());
    }
    Path directory = directory(root, target);
    if (id.isEmpty()) {
      throw new EmissionRefusedException("a message needs an id, which is the name of its file");
    }
    Path unused = Files.createDirectories(directory);
    if (swept.add(directory)) {
      FileTrees.sweep(directory, time.clock().instant().minus(Spool.LONGEST_WRITING));
    }
    String writer = client + "-" + writings.incrementAndGet();
    FileTrees.write(directory, FileName.of(id), content, writer);
  }

  private static Path directory(Path root, String target) {
    try {
      Path directory = root.resolve(target).normalize();
      if (directory.startsWith(root)) {
        return directory;
      }
    } catch (InvalidPathException e) {
      throw new EmissionRefusedException(
          "\"%s\" is no name of a directory: %s".formatted(target, e.getReason()));
    }
    throw new EmissionRefusedException(
        "\"%s\" is no directory in %s, the setting emitTo".formatted(target, root));
  }

  @Override
  public Future<OptionalLong> lag() {
    return threads.run(deliveries::waiting);
  }

  @Override
  public Optional<String> trouble() {
    return deliveries
        .trouble()
        .map(what -> "the directory %s: %s".formatted(settings.path(), what));
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(settings.lease());
  }

  @Override
  public Future<Void> close() {
    return threads.close(
        () -> {
          deliveries.close();
          return null;
        });
  }
}
