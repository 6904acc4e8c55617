package io.callboard.workflows;

import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.Suggestions;
import io.callboard.zone.ZoneDefaults;
import java.util.List;
import java.util.Objects;

/** Scheduling zones of a node in which handlers and builders of the application may run. */
final class UserZones {
  private static final List<String> RESERVED =
      List.of(ZoneDefaults.SUPERVISION, ZoneDefaults.TOOLKIT);

  private UserZones() {}

  /**
   * Returns the name of a zone in which code of the application may run.
   *
   * @param what names the code
   * @throws IllegalArgumentException if there is no such zone, with those that there are, or it is
   *     reserved
   */
  static String require(Callboard callboard, String zone, String what) {
    Objects.requireNonNull(
        zone, () -> "the scheduling zone of %s is null: leave it out".formatted(what));
    List<String> names =
        callboard.admin().zones().stream()
            .map(ZoneStatus::name)
            .filter(name -> !RESERVED.contains(name))
            .toList();
    if (names.contains(zone)) {
      return zone;
    }
    String known = String.join(", ", names);
    throw new IllegalArgumentException(
        RESERVED.contains(zone)
            ? "zone %s is reserved for Callboard's own actors: choose another for %s, of %s"
                .formatted(zone, what, known)
            : "there is no scheduling zone \"%.100s\" for %s%s; this node has %s"
                .formatted(
                    zone,
                    what,
                    Suggestions.of(zone, names)
                        .map(name -> ", did you mean \"%s\"?".formatted(name))
                        .orElse(""),
                    known));
  }
}
