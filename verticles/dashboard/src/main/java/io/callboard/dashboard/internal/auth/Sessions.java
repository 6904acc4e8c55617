package io.callboard.dashboard.internal.auth;

import io.callboard.codecs.internal.text.Digest;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions of browsers, as a machine without I/O. Each ends some time after its last use, and some
 * time after its begin; a user's oldest ends for one too many, and of all the one that was unused
 * longest. They are kept by a digest of their token, so that neither memory nor the time of a look
 * tells it. Not thread-safe.
 */
final class Sessions {
  /** Maximum number of sessions. */
  static final int MOST = 1_000;

  /** Maximum number of sessions of a user. */
  static final int MOST_OF_USER = 20;

  private final Duration idle;
  private final Duration most;
  private final Map<String, Session> byDigest = new LinkedHashMap<>(); // oldest first

  /** Session of a user. */
  static final class Session {
    private final String digest;
    private final UsersFile.Entry user;
    private final long begunMs;
    private long usedMs;

    private Session(String digest, UsersFile.Entry user, long nowMs) {
      this.digest = digest;
      this.user = user;
      this.begunMs = nowMs;
      this.usedMs = nowMs;
    }

    UsersFile.Entry user() {
      return user;
    }
  }

  /**
   * Creates the set.
   *
   * @param idle time after the last use at which a session ends
   * @param most time after its begin at which it ends in any case
   */
  Sessions(Duration idle, Duration most) {
    this.idle = idle;
    this.most = most;
  }

  /** Begins a session under a token. */
  void begin(String token, UsersFile.Entry user, long nowMs) {
    byDigest.values().removeIf(session -> isOver(session, nowMs));
    long ofUser = byDigest.values().stream().filter(each -> isOf(each, user.name())).count();
    if (ofUser >= MOST_OF_USER) {
      byDigest.entrySet().stream()
          .filter(each -> isOf(each.getValue(), user.name()))
          .findFirst()
          .map(Map.Entry::getKey)
          .ifPresent(byDigest::remove);
    } else if (byDigest.size() >= MOST) {
      byDigest.entrySet().stream()
          .min(Comparator.comparingLong(each -> each.getValue().usedMs))
          .map(Map.Entry::getKey)
          .ifPresent(byDigest::remove);
    }
    String digest = Digest.whole(token);
    byDigest.put(digest, new Session(digest, user, nowMs));
  }

  /** Returns the session of a token, and counts that as a use of the session. */
  Optional<Session> use(String token, long nowMs) {
    String digest = Digest.whole(token);
    Session session = byDigest.get(digest);
    if (session == null) {
      return Optional.empty();
    }
    if (isOver(session, nowMs)) {
      byDigest.remove(digest);
      return Optional.empty();
    }
    session.usedMs = nowMs;
    return Optional.of(session);
  }

  /** Returns whether a session goes on, without using it. */
  boolean isLive(Session session, long nowMs) {
    return byDigest.get(session.digest) == session && !isOver(session, nowMs);
  }

  /** Ends the session of a token, if there is one. */
  void end(String token) {
    byDigest.remove(Digest.whole(token));
  }

  /** Returns the number of sessions, some of which may be over. */
  int size() {
    return byDigest.size();
  }

  private boolean isOver(Session session, long nowMs) {
    return nowMs - session.usedMs >= idle.toMillis() || nowMs - session.begunMs >= most.toMillis();
  }

  private static boolean isOf(Session session, String user) {
    return session.user.name().equals(user);
  }
}
