package io.callboard.dashboard.internal.audit;

import io.callboard.jobs.model.Masked;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Detail of a write in the audit, beyond its path: a filter or ids with their number, force, an
 * event.
 */
public final class AuditDetail {
  /** Maximum number of characters that are kept. */
  static final int MOST = 600;

  /** Maximum number of ids that are named. */
  static final int MOST_IDS = 10;

  private static final String KEY = "callboard.audit.detail";

  private AuditDetail() {}

  /** Sets the detail for the audit entry of a request, in place of an earlier one. */
  public static void put(RoutingContext context, String text) {
    context.put(KEY, Reason.line(Masked.text(text), MOST));
  }

  /** Returns the detail in one line; empty if none was set. */
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
