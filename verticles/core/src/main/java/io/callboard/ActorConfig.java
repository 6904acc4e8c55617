package io.callboard;

import static java.util.Map.entry;

import io.callboard.codecs.text.Suggestions;
import io.callboard.delivery.Redelivery;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.WhenFull;
import io.callboard.zone.ZonePriority;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Reader of {@link ActorOptions} from a configuration; an error names the option and what it takes.
 */
final class ActorConfig {
  private static final Map<String, BiConsumer<ActorOptions, ConfigValue>> SETTERS =
      Map.ofEntries(
          entry("path", (actor, value) -> refusePath()),
          entry("zone", (actor, value) -> actor.zone(value.text())),
          entry("zonePriority", (actor, it) -> actor.zonePriority(ZonePriority.of(it.text()))),
          entry("mailboxLimit", (actor, value) -> actor.mailboxLimit(value.number())),
          entry("whenFull", (actor, value) -> actor.whenFull(value.oneOf(WhenFull.class))),
          entry("attempts", (actor, value) -> actor.attempts(value.number())),
          entry("startTimeout", (actor, value) -> actor.startTimeout(value.duration())),
          entry("stopTimeout", (actor, value) -> actor.stopTimeout(value.duration())),
          entry("turnTimeout", (actor, value) -> actor.turnTimeout(value.duration())),
          entry("passivateAfter", (actor, value) -> actor.passivateAfter(value.duration())),
          entry("snapshotEvery", ActorConfig::snapshotEvery),
          entry("snapshotBytes", ActorConfig::snapshotBytes),
          entry("snapshotAfter", ActorConfig::snapshotAfter),
          entry("snapshotsKept", ActorConfig::snapshotsKept),
          entry("redeliveryAttempts", ActorConfig::redeliveryAttempts),
          entry("redeliveryBackoff", ActorConfig::redeliveryBackoff),
          entry("archived", (actor, value) -> actor.archived(value.flag())),
          entry("onBus", (actor, value) -> actor.onBus(value.flag())),
          entry("delivery", (actor, value) -> actor.delivery(DeliveryMode.of(value.text()))),
          entry("requiredLabels", (actor, value) -> actor.requiredLabels(value.texts())),
          entry("group", (actor, value) -> actor.group(value.text())),
          entry("backoff", (actor, value) -> actor.backoff(value.backoff())));

  private ActorConfig() {}

  /** See {@link ActorOptions#of}. */
  static ActorOptions read(JsonObject config) {
    ActorOptions options = new ActorOptions();
    for (Map.Entry<String, Object> option : config) {
      BiConsumer<ActorOptions, ConfigValue> setter = SETTERS.get(option.getKey());
      if (setter == null) {
        throw new IllegalArgumentException(
            "there is no actor option \"%s\"%s"
                .formatted(option.getKey(), Suggestions.hint(option.getKey(), SETTERS.keySet())));
      }
      setter.accept(options, new ConfigValue(option.getKey(), option.getValue()));
    }
    return options;
  }

  /** The guardian takes it out; it is listed so that a mistyped one finds it. */
  private static void refusePath() {
    throw new IllegalArgumentException(
        "actor option path is only for actors that are deployed as verticles: pass the path to spawn");
  }

  private static void snapshotEvery(ActorOptions options, ConfigValue value) {
    SnapshotPolicy before = options.snapshots();
    options.snapshots(
        new SnapshotPolicy(value.positive(), before.bytes(), before.after(), before.keep()));
  }

  private static void snapshotBytes(ActorOptions options, ConfigValue value) {
    options.snapshots(options.snapshots().orBytes(value.positive()));
  }

  private static void snapshotAfter(ActorOptions options, ConfigValue value) {
    options.snapshots(
        options.snapshots().orAfter(ActorOptions.positive(value.key(), value.duration())));
  }

  private static void snapshotsKept(ActorOptions options, ConfigValue value) {
    int kept = value.number();
    if (kept < 1 || kept > SnapshotPolicy.MOST_KEPT) {
      throw value.wrong("a whole number from 1 to " + SnapshotPolicy.MOST_KEPT);
    }
    options.snapshots(options.snapshots().keep(kept));
  }

  private static void redeliveryAttempts(ActorOptions options, ConfigValue value) {
    options.redelivery(new Redelivery(options.redelivery().backoff(), value.positive()));
  }

  private static void redeliveryBackoff(ActorOptions options, ConfigValue value) {
    options.redelivery(new Redelivery(value.backoff(), options.redelivery().attempts()));
  }
}
