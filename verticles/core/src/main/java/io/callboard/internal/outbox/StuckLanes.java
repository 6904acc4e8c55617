package io.callboard.internal.outbox;

import io.callboard.admin.StuckMail;
import io.callboard.codecs.ActorPath;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lanes of a node's outboxes that wait for an operator, for those who look. Thread-safe. */
public final class StuckLanes {
  /** Limit of the lanes that are listed; all are counted. */
  public static final int MOST = 1_000;

  private final Map<ActorPath, Map<ActorPath, StuckMail>> bySender = new LinkedHashMap<>();

  /** Sets what is stuck in one outbox. */
  public synchronized void put(ActorPath sender, Map<ActorPath, Outbox.Stuck> lanes, Instant now) {
    Map<ActorPath, StuckMail> before = bySender.getOrDefault(sender, Map.of());
    Map<ActorPath, StuckMail> mail = new LinkedHashMap<>();
    lanes.forEach(
        (receiver, lane) -> {
          StuckMail known = before.get(receiver);
          Instant since = known == null ? now : known.since();
          mail.put(receiver, new StuckMail(sender, receiver, lane.messages(), since, lane.why()));
        });
    if (mail.isEmpty()) {
      bySender.remove(sender);
    } else {
      bySender.put(sender, mail);
    }
  }

  /** Returns the lanes, up to {@value #MOST}. */
  public synchronized List<StuckMail> list() {
    return all().limit(MOST).toList();
  }

  /** Returns the number of their messages. */
  public synchronized long messages() {
    return all().mapToLong(StuckMail::messages).sum();
  }

  private Stream<StuckMail> all() {
    return bySender.values().stream().flatMap(lanes -> lanes.values().stream());
  }
}
