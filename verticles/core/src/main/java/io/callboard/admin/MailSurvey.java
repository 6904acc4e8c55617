package io.callboard.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mail that waits for the actors of a node, as of one look at each of them. All of it is of the
 * application's actors, but {@code oldest} and {@code every} have the toolkit's own, too.
 *
 * @param at when the look ended
 * @param queued messages that wait in memory
 * @param mailboxes durable mailboxes that this node owns
 * @param depth messages that wait in those, at least
 * @param oldestAt since when the oldest message in those waits; null if none does
 * @param fullest actors with the most mail, up to {@value #FULLEST}, the fullest first
 * @param oldest actors whose oldest message in a durable mailbox waits longest, up to {@value
 *     #OLDEST}, the oldest first
 * @param every mailboxes of all actors, the toolkit's own too, one by one as far as that goes
 */
public record MailSurvey(
    Instant at,
    long queued,
    long mailboxes,
    long depth,
    @Nullable Instant oldestAt,
    List<ActorStatus> fullest,
    List<ActorStatus> oldest,
    MailboxSurvey every) {
  /** Maximum number of the fullest. */
  public static final int FULLEST = 20;

  /** Maximum number of those with the oldest mail. */
  public static final int OLDEST = 500;

  /** Copies the lists. */
  public MailSurvey {
    fullest = List.copyOf(fullest);
    oldest = List.copyOf(oldest);
  }
}
