package io.callboard.dashboard.internal.attention;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.DownActors;
import io.callboard.admin.InterruptedActors;
import io.callboard.admin.MailSurvey;
import io.callboard.codecs.ActorPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Actors of a node that may be in trouble: those that are down, that keep failing or stay
 * interrupted, that report details, or whose mail is the oldest. The others are not looked at.
 *
 * @param items up to a limit of each kind
 * @param incomplete which further ones are down, or not looked at; null if none are
 * @param dependants numbers of actors that rest with something, by the path of that
 * @param interrupted number of actors that stay interrupted; of many, some are among the items
 */
public record NotableActors(
    List<ActorStatus> items,
    @Nullable String incomplete,
    Map<ActorPath, Long> dependants,
    int interrupted) {
  private static final int MOST = 1_000;

  /** Copies the collections. */
  public NotableActors {
    items = List.copyOf(items);
    dependants = Map.copyOf(dependants);
  }

  /** Returns the notable actors of a node with a survey of its mail. */
  static NotableActors of(CallboardAdmin admin, MailSurvey mail) {
    Map<ActorPath, ActorStatus> found = new LinkedHashMap<>();
    DownActors down = admin.down(MOST);
    mail.oldest().forEach(actor -> found.put(actor.path(), actor));
    List<ActorStatus> reporting = admin.reporting(MOST + 1);
    reporting.stream().limit(MOST).forEach(actor -> found.put(actor.path(), actor));
    List<ActorStatus> failing = admin.failing(MOST + 1);
    failing.stream().limit(MOST).forEach(actor -> found.put(actor.path(), actor));
    down.worst().forEach(actor -> found.put(actor.path(), actor));
    InterruptedActors interrupted = admin.interrupted(AttentionRules.MOST_OF_RULE);
    interrupted.longest().forEach(actor -> found.put(actor.path(), actor));
    int further = down.count() - down.worst().size();
    return new NotableActors(
        List.copyOf(found.values()),
        incomplete(further, failing.size() > MOST, reporting.size() > MOST),
        down.dependants(),
        interrupted.count());
  }

  private static @Nullable String incomplete(int further, boolean failing, boolean circuits) {
    List<String> parts = new ArrayList<>();
    if (further > 0) {
      parts.add("%d further ones do not run".formatted(further));
    }
    if (failing) {
      parts.add("more than %,d have failed lately".formatted(MOST));
    }
    if (circuits) {
      parts.add("circuits of more than %,d are not looked at".formatted(MOST));
    }
    return parts.isEmpty() ? null : String.join("; ", parts);
  }
}
