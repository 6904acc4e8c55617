package io.callboard.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mailboxes of all actors of a node, the toolkit's own among them, as of one look at each: the
 * first one by one, and the others together.
 *
 * @param queued messages that wait in memory, those for volatile actors too
 * @param first actors with the deepest durable mailboxes, up to {@value #FIRST}; of equally deep
 *     ones the busiest come first, then those whose path does
 * @param others number of the other durable mailboxes
 * @param othersDepth messages that wait in those, at least
 * @param othersOldestAt since when the oldest message in those waits; null if none does
 */
public record MailboxSurvey(
    long queued,
    List<ActorStatus> first,
    long others,
    long othersDepth,
    @Nullable Instant othersOldestAt) {
  /** Maximum number of the first. */
  public static final int FIRST = 200;

  /** Copies the list. */
  public MailboxSurvey {
    first = List.copyOf(first);
  }
}
