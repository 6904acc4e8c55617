package io.callboard.dashboard.internal.audit;

import io.callboard.jobs.model.Masked;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Detail of a write in the audit: what it reaches or does, where its path does not say that: a
 * filter or ids, and how many; by force; to which event.
 */
public final class AuditDetail {
  /** Maximum number of characters that are kept. */
  static final int MOST = 600;

  /** Maximum number of ids that are named. */
  static final int MOST_IDS = 10;

  private static final String KEY = "callboard.audit.detail";

  private AuditDetail() {}

  /** Sets it for the audit entry of a request, instead of what was set before. */
  public static void put(RoutingContext context, String text) {
    context.put(KEY, Reason.line(Masked.text(text), MOST));
  }

  /** Returns what was set, in one line; empty if nothing was. */
  public static String of(RoutingContext context) {
    return context.get(KEY, "");
  }

  /** Returns the first of some ids, and how many further ones there are. */
  public static String ids(List<String> ids) {
    String first = String.join(", ", ids.subList(0, Math.min(ids.size(), MOST_IDS)));
    return ids.size() <= MOST_IDS
        ? first
        : "%s and %d more".formatted(first, ids.size() - MOST_IDS);
  }
}
