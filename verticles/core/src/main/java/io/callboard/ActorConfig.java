package io.callboard;

import io.callboard.codecs.Nearest;
import io.callboard.delivery.Redelivery;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.WhenFull;
import io.callboard.zone.ZonePriority;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@link ActorOptions} from a configuration; what is wrong in it is refused by name. */
final class ActorConfig {
  private static final List<String> KEYS =
      List.of(
          "path",
          "zone",
          "zonePriority",
          "mailboxLimit",
          "whenFull",
          "attempts",
          "startTimeout",
          "stopTimeout",
          "turnTimeout",
          "passivateAfter",
          "snapshotEvery",
          "snapshotBytes",
          "snapshotAfter",
          "snapshotsKept",
          "redeliveryAttempts",
          "redeliveryBackoff",
          "archived",
          "onBus",
          "dropsOldest",
          "delivery",
          "group",
          "backoff");

  private final String key;
  private final @Nullable Object value;

  ActorConfig(String key, @Nullable Object value) {
    this.key = key;
    this.value = value;
  }

  /** See {@link ActorOptions#of}. */
  static ActorOptions read(JsonObject config) {
    ActorOptions options = new ActorOptions();
    config.forEach(entry -> new ActorConfig(entry.getKey(), entry.getValue()).set(options));
    return options;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private ActorOptions set(ActorOptions options) {
    return switch (key) {
      case "zone" -> options.zone(text());
      case "zonePriority" -> options.zonePriority(ZonePriority.of(text()));
      case "mailboxLimit" -> options.mailboxLimit(number());
      case "whenFull" -> options.whenFull(whenFull());
      case "attempts" -> options.attempts(number());
      case "startTimeout" -> options.startTimeout(duration());
      case "stopTimeout" -> options.stopTimeout(duration());
      case "turnTimeout" -> options.turnTimeout(duration());
      case "passivateAfter" -> options.passivateAfter(duration());
      case "snapshotEvery", "snapshotBytes", "snapshotAfter", "snapshotsKept" ->
          options.snapshots(snapshots(options.snapshots()));
      case "redeliveryAttempts", "redeliveryBackoff" ->
          options.redelivery(redelivery(options.redelivery()));
      case "archived" -> options.archived(flag());
      case "onBus" -> options.onBus(flag());
      case "dropsOldest" -> options.dropsOldest(flag());
      case "group" -> options.group(text());
      case "backoff" -> options.backoff(new BackoffConfig(object()).read());
      case "delivery" -> options.delivery(DeliveryMode.of(text()));
      default ->
          throw new IllegalArgumentException(
              "there is no actor option \"%s\"%s".formatted(key, Nearest.hint(key, KEYS)));
    };
  }

  private SnapshotPolicy snapshots(SnapshotPolicy before) {
    return switch (key) {
      case "snapshotEvery" ->
          new SnapshotPolicy(positive(), before.bytes(), before.after(), before.keep());
      case "snapshotBytes" -> before.orBytes(positive());
      case "snapshotAfter" -> before.orAfter(ActorOptions.positive(key, duration()));
      default -> before.keep(kept());
    };
  }

  private Redelivery redelivery(Redelivery before) {
    return key.equals("redeliveryAttempts")
        ? new Redelivery(before.backoff(), positive())
        : new Redelivery(new BackoffConfig(object()).read(), before.attempts());
  }

  private int positive() {
    return ActorOptions.positive(key, number());
  }

  private int kept() {
    int kept = number();
    if (kept < 1 || kept > SnapshotPolicy.MOST_KEPT) {
      throw wrong("a whole number from 1 to " + SnapshotPolicy.MOST_KEPT);
    }
    return kept;
  }

  private String text() {
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    throw wrong("a text");
  }

  int number() {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).intValue();
    }
    throw wrong("a whole number up to " + Integer.MAX_VALUE);
  }

  boolean flag() {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong("true or false");
  }

  Duration duration() {
    if (value instanceof CharSequence text) {
      try {
        return Duration.parse(text);
      } catch (DateTimeParseException e) {
        throw wrong("an ISO 8601 duration such as \"PT5S\"");
      }
    }
    throw wrong("an ISO 8601 duration such as \"PT5S\"");
  }

  private JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrong("an object with its form, such as " + BackoffConfig.EXAMPLE);
  }

  private WhenFull whenFull() {
    for (WhenFull each : WhenFull.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
        return each;
      }
    }
    throw wrong("wait, reject, drop or park");
  }

  IllegalArgumentException wrong(String right) {
    String given = value instanceof CharSequence ? "the text \"%.60s\"" : "%.60s";
    return new IllegalArgumentException(
        "actor option %s takes %s, not %s".formatted(key, right, given.formatted(value)));
  }
}
