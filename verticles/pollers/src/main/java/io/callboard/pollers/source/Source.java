package io.callboard.pollers.source;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Client of one queue of another system, as a poller uses it.
 *
 * <p>All methods are called on one Vert.x context and return at once. Between the success of {@link
 * #open} and {@link #close} one {@link #poll} at most is under way; other calls overlap with it. A
 * future that fails with {@link SourceException} has a cause for people; after any failure the
 * outcome is unknown, and the poller may repeat the call. A receipt that is not taken any more is
 * no failure: calls ignore it. After {@link #close}, or when its process has died, the source
 * delivers again what was neither completed nor set aside, at the latest when its lease is over.
 */
public interface Source {
  /** Bytes of content after which a {@link #poll} takes no further message. */
  int MOST_BYTES = 16 << 20;

  /** Connects, and makes what the source needs in the other system, as a consumer group. */
  Future<Void> open();

  /**
   * Takes messages. Completes with none if none has come within a second or two; never holds more
   * than it returns, so that what is not asked for stays with the source. It takes no further one
   * after {@link #MOST_BYTES} of content, where the protocol can before they are transferred.
   *
   * @param most maximum number, at least 1
   */
  Future<List<SourceMessage>> poll(int most);

  /**
   * Keeps what was taken for another {@link #lease}. Completes with those receipts that are taken
   * no more, because others may have them.
   */
  Future<Set<String>> extend(Collection<String> receipts);

  /** Acknowledges messages for good. */
  Future<Void> complete(Collection<String> receipts);

  /**
   * Gives a message back after a failure.
   *
   * @param delay time after which the source is to deliver it again; a source that knows no delays
   *     may deliver it earlier
   * @param cause why it failed, for people
   */
  Future<Void> fail(String receipt, Duration delay, String cause);

  /**
   * Sets a message aside for good, with its cause, where operators of the other system find it, as
   * a dead-letter queue; then acknowledges it.
   */
  Future<Void> dead(String receipt, String cause);

  /** Gives back messages that nothing was done for, at once and not as a failure. */
  Future<Void> release(Collection<String> receipts);

  /**
   * Sends a message of Callboard's to a queue of the same system; durable there when the future
   * succeeds, and perhaps doubled when it fails. Fails with {@link EmissionRefusedException} if no
   * repetition could succeed; after any other failure it is repeated.
   *
   * @param target name of the queue, topic, stream, directory or table
   */
  Future<Void> emit(String target, EmittedMessage message);

  /** Returns how many messages wait in the source; empty if it cannot say. */
  Future<OptionalLong> lag();

  /**
   * Returns what does not work though calls succeed, for people; empty, by default, if nothing.
   * Operators see it as the reason of a source that polls.
   */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /**
   * Returns the time after which the source delivers a taken message to others unless it is
   * extended; empty if it keeps it for as long as this client is connected.
   */
  Optional<Duration> lease();

  /**
   * Disconnects, without giving back messages that are still taken. Idempotent, also before {@link
   * #open}.
   */
  Future<Void> close();
}
