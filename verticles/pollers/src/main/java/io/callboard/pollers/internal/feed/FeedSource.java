package io.callboard.pollers.internal.feed;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.pollers.internal.blocking.BlockingThreads;
import io.callboard.pollers.internal.feed.FeedDownload.Document;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Feed as a source: downloads it when it is time, and remembers what was done. */
final class FeedSource implements Source {
  private static final Logger log = LoggerFactory.getLogger(FeedSource.class);

  /** Time that a poll waits at most if there is nothing. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final double JITTER = 0.1;
  private static final int LONGEST_CAUSE = 1000;

  private final Vertx vertx;
  private final FeedRemains.Place place;
  private final FeedSettings settings;
  private final SourceMemory memory;
  private final Time time;
  private final Random random;
  private final FeedDownload download;
  private final FeedQueue queue;
  private final BlockingThreads threads;
  private long nextNanos;
  private boolean isOpen;
  private boolean closed;
  private boolean hasTooMany;
  private @Nullable Throwable failure;
  private @Nullable Future<Void> look;

  /**
   * Creates a source.
   *
   * @param client names this client, as no other in the world
   */
  FeedSource(
      Vertx vertx,
      String name,
      UUID client,
      FeedSettings settings,
      SourceMemory memory,
      Time time) {
    this.vertx = vertx;
    this.place = new FeedRemains.Place(name, settings.url());
    this.settings = settings;
    this.memory = memory;
    this.time = time;
    this.random = new Random(client.getMostSignificantBits());
    this.download = new FeedDownload(vertx, settings, time);
    this.queue = new FeedQueue(client.toString().substring(0, 8));
    this.threads =
        new BlockingThreads(vertx, "source-" + name + "-" + client, 1, Throwable::toString);
    this.nextNanos = time.nanoTime();
  }

  private long today() {
    return time.clock().instant().getEpochSecond() / Duration.ofDays(1).toSeconds();
  }

  /** Runs it unless the source is closed; its failures name the feed. */
  private <T> Future<T> call(Supplier<Future<T>> work) {
    Future<T> done =
        closed ? Future.failedFuture(new SourceException("the source is closed")) : work.get();
    return done.recover(
        cause ->
            Future.failedFuture(
                new SourceException(
                    settings + ": " + Causes.message(cause), cause, SourceException.after(cause))));
  }

  @Override
  public Future<Void> open() {
    return call(
        () ->
            memory
                .read()
                .compose(
                    known -> {
                      if (closed) { // what was left is the next one's
                        return Future.failedFuture(new SourceException("it was closed meanwhile"));
                      }
                      queue.remember(known);
                      resume();
                      isOpen = true;
                      return tryToLook();
                    }));
  }

  /** Goes on where the last client of this node has ended, unless that is long ago. */
  private void resume() {
    FeedRemains left = FeedRemains.take(vertx, place);
    if (left != null && left.day() + FeedQueue.FORGET_DAYS > today()) {
      queue.resume(left.open(), time.nanoTime());
      download.accept(left.document());
      nextNanos = left.nextNanos();
      failure = left.failure();
    }
  }

  /**
   * Looks at the feed if it is time and there is room; one look at a time. Until the next one it
   * fails as the last one did.
   */
  private Future<Void> look() {
    if (look != null) {
      return look;
    } else if (time.nanoTime() - nextNanos < 0 || queue.waiting() >= settings.maxEntries()) {
      return failure == null ? Future.succeededFuture() : Future.failedFuture(later(failure));
    }
    Promise<Void> ended = Promise.promise();
    look = ended.future();
    download
        .run()
        .compose(this::read)
        .onComplete(
            done -> {
              double jitter = 1 - JITTER + 2 * JITTER * random.nextDouble();
              long period = (long) (settings.period().toNanos() * jitter);
              long wanted = done.failed() ? SourceException.after(done.cause()).toNanos() : 0;
              nextNanos = time.nanoTime() + Math.max(period, wanted);
              look = null;
              failure = done.cause();
              if (done.failed()) {
                log.warn("{}: {}", settings, Causes.message(done.cause()));
              }
              ended.handle(done);
            });
    return ended.future();
  }

  /** Returns the failure of the last look with the time that is left until the next one. */
  private Throwable later(Throwable last) {
    return isAnswered(last)
        ? new SourceException(
            Causes.message(last), last, Duration.ofNanos(Math.max(0, nextNanos - time.nanoTime())))
        : last;
  }

  /** Returns whether the server has answered, and so is left alone until the next look is due. */
  private static boolean isAnswered(@Nullable Throwable last) {
    return last != null && !SourceException.after(last).isZero();
  }

  private Future<Void> read(@Nullable Document document) {
    if (document == null) {
      return Future.succeededFuture(); // it has not changed
    }
    byte[] content = document.content().getBytes();
    return threads
        .run(() -> FeedDocument.read(content, document.contentType(), settings.maxEntries() + 1))
        .recover(
            cause ->
                Future.failedFuture(
                    new SourceException(Causes.message(cause), cause, settings.period())))
        .compose(
            entries -> {
              download.accept(document.validators());
              return offer(entries);
            });
  }

  /** Takes in what the feed shows; the last that were read are the first of the document. */
  private Future<Void> offer(List<FeedItem> entries) {
    int tooMany = entries.size() - settings.maxEntries();
    hasTooMany = tooMany > 0;
    trouble().ifPresent(log::warn);
    FeedQueue.Change change =
        queue.offer(
            entries.subList(Math.max(0, tooMany), entries.size()), time.nanoTime(), today());
    return change.isEmpty()
        ? Future.succeededFuture()
        : memory.write(change.puts(), change.removed());
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    return call(
        () ->
            lookAndTake(most)
                .compose(
                    taken -> taken.isEmpty() ? pollLater(most) : Future.succeededFuture(taken)));
  }

  private Future<List<SourceMessage>> lookAndTake(int most) {
    return tryToLook().map(v -> queue.take(most, time.nanoTime()));
  }

  /** A look that fails is no failure while there are entries: to be closed would not help them. */
  private Future<Void> tryToLook() {
    return look()
        .recover(cause -> queue.hasOpen() ? Future.succeededFuture() : Future.failedFuture(cause));
  }

  private Future<List<SourceMessage>> pollLater(int most) {
    Duration untilLook = Duration.ofNanos(nextNanos - time.nanoTime()).plusMillis(1);
    boolean isSoon = !untilLook.isNegative() && untilLook.compareTo(PAUSE) < 0;
    return time.pause(vertx.getOrCreateContext(), isSoon ? untilLook : PAUSE)
        .compose(v -> closed ? Future.succeededFuture(List.of()) : lookAndTake(most));
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    return call(() -> Future.succeededFuture(queue.lost(receipts)));
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    return end(receipts);
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    String cut = CutText.head(cause, LONGEST_CAUSE);
    log.warn("an entry of {} is set aside: {}", settings, cut);
    return end(List.of(receipt));
  }

  private Future<Void> end(Collection<String> receipts) {
    List<String> copy = List.copyOf(receipts);
    return call(
        () -> {
          Map<String, Long> puts = queue.ending(copy, today());
          return memory.write(puts, List.of()).onSuccess(v -> queue.end(copy, puts));
        });
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    return call(
        () -> {
          queue.giveBack(receipt, Time.atMostLongest(delay), true, time.nanoTime());
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    return call(
        () -> {
          for (String receipt : receipts) {
            queue.giveBack(receipt, Duration.ZERO, false, time.nanoTime());
          }
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    return call(() -> Future.failedFuture(new SourceException("nothing can be emitted to a feed")));
  }

  /** Returns the number of waiting entries; fails if the last download has failed. */
  @Override
  public Future<OptionalLong> lag() {
    return call(
        () ->
            look()
                .compose(
                    v ->
                        failure == null
                            ? Future.succeededFuture(OptionalLong.of(queue.waiting()))
                            : Future.failedFuture(failure)));
  }

  /**
   * Returns that the document has too many entries. A client does not know this of a document that
   * has not changed since the last client was closed.
   */
  @Override
  public Optional<String> trouble() {
    return hasTooMany
        ? Optional.of(
            "%s has more than %,d entries: those after them are ignored (setting maxEntries)"
                .formatted(settings, settings.maxEntries()))
        : Optional.empty();
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.empty();
  }

  @Override
  public Future<Void> close() {
    if (isOpen && !closed) {
      boolean isOver = failure == null || isAnswered(failure);
      long next = isOver ? nextNanos : time.nanoTime();
      new FeedRemains(queue.open(), download.accepted(), next, isOver ? failure : null, today())
          .leave(vertx, place);
    }
    closed = true;
    return download.close().eventually(() -> threads.close(() -> null));
  }
}
