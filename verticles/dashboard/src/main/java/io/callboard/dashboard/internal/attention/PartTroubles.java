package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.part.PartTrouble;
import java.util.List;
import java.util.function.Consumer;

/** Rule about troubles that parts of this node report about themselves. Pure. */
final class PartTroubles {
  private PartTroubles() {}

  static void check(Facts facts, Consumer<Trouble> found) {
    facts
        .ofParts()
        .forEach(
            (part, reading) ->
                reading.orElse(List.of()).forEach(each -> found.accept(of(part, each))));
  }

  private static Trouble of(String part, PartTrouble its) {
    return Trouble.of(
            Rule.PART_TROUBLED,
            its.critical() ? Severity.CRITICAL : Severity.WARNING,
            Subject.of(Kind.PART, part),
            its.since(),
            "%s: %s".formatted(its.subject(), its.cause()),
            Action.advice(OneLine.of(its.remedy())))
        .of(its.subject());
  }
}
