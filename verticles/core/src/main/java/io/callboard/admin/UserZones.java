package io.callboard.admin;

import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions.Kind;
import java.util.List;
import java.util.Objects;

/** Scheduling zones of a node in which code of the application may run: handlers and builders. */
public final class UserZones {
  private static final List<String> RESERVED =
      List.of(ZoneDefaults.SUPERVISION, ZoneDefaults.TOOLKIT);

  private UserZones() {}

  /**
   * Returns the name of a zone in which code of the application may run.
   *
   * @param what names the code
   * @throws IllegalArgumentException if there is no such zone, with those that there are, or it is
   *     reserved, or of kind {@code event-loop}, whose threads such code may not block
   */
  public static String require(CallboardAdmin admin, String zone, String what) {
    Objects.requireNonNull(
        zone, () -> "the scheduling zone of %s is null: leave it out".formatted(what));
    List<ZoneStatus> all = admin.zones();
    List<String> names =
        all.stream()
            .filter(each -> !isOfLoops(each))
            .map(ZoneStatus::name)
            .filter(name -> !RESERVED.contains(name))
            .toList();
    if (names.contains(zone)) {
      return zone;
    }
    String known = String.join(", ", names);
    if (all.stream().anyMatch(each -> each.name().equals(zone) && isOfLoops(each))) {
      throw new IllegalArgumentException(
          "zone %s runs on the event loops of Vert.x, which %s may not block: choose one with threads of its own, of %s"
              .formatted(zone, what, known));
    }
    throw new IllegalArgumentException(
        RESERVED.contains(zone)
            ? "zone %s is reserved for Callboard's own actors: choose another for %s, of %s"
                .formatted(zone, what, known)
            : "there is no scheduling zone \"%.100s\" for %s%s; this node has %s"
                .formatted(
                    zone,
                    what,
                    Suggestions.of(zone, names)
                        .map(name -> ", " + Suggestions.question(name))
                        .orElse(""),
                    known));
  }

  private static boolean isOfLoops(ZoneStatus zone) {
    return zone.kind().equals(Kind.EVENT_LOOP.label());
  }
}
