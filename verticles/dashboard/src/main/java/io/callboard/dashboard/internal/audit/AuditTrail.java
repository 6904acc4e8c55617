package io.callboard.dashboard.internal.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last writes that this node was asked for. Thread-safe. */
public final class AuditTrail {
  /** Maximum number of writes of known users that are kept. */
  public static final int MOST = 1_000;

  /** Maximum number of refusals and logins of known users that are kept. */
  static final int MOST_MINOR = 200;

  /** Maximum number of attempts of nobody that are kept. */
  static final int MOST_OF_NOBODY = 100;

  private static final Set<String> LOGINS = Set.of("login", "logout");
  private static final Set<Integer> REFUSALS = Set.of(401, 403, 429);
  private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);

  private final Deque<AuditEntry> ofUsers = new ArrayDeque<>();
  private final Deque<AuditEntry> minor = new ArrayDeque<>();
  private final Deque<AuditEntry> ofNobody = new ArrayDeque<>();

  /**
   * Adds a write, also to the log.
   *
   * @param known whether the user is known
   */
  public void add(AuditEntry entry, boolean known) {
    log.info(
        "{} by {} ({}) from {}: {}{} answered with {}{}{}",
        entry.operation(),
        entry.user(),
        entry.role(),
        entry.from(),
        entry.subject(),
        entry.detail().isEmpty() ? "" : " (" + entry.detail() + ")",
        entry.status(),
        entry.code().isEmpty() ? "" : " " + entry.code(),
        entry.reason().isEmpty() ? "" : ", because \"" + entry.reason() + "\"");
    synchronized (this) {
      if (!known) {
        keep(ofNobody, entry, MOST_OF_NOBODY);
      } else if (isRefusal(entry.status()) || LOGINS.contains(entry.operation())) {
        keep(minor, entry, MOST_MINOR);
      } else {
        keep(ofUsers, entry, MOST);
      }
    }
  }

  private static void keep(Deque<AuditEntry> kept, AuditEntry entry, int most) {
    kept.addFirst(entry);
    if (kept.size() > most) {
      kept.removeLast();
    }
  }

  /** Returns whether a status says that the caller is not allowed to write, or not now. */
  public static boolean isRefusal(int status) {
    return REFUSALS.contains(status);
  }

  /** Returns the last {@code limit} writes, latest first. */
  public synchronized List<AuditEntry> last(int limit) {
    List<AuditEntry> all = new ArrayList<>(ofUsers);
    all.addAll(minor);
    all.addAll(ofNobody);
    all.sort(Comparator.comparing(AuditEntry::at).reversed());
    return List.copyOf(all.subList(0, Math.min(limit, all.size())));
  }
}
