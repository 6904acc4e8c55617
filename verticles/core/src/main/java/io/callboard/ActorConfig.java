package io.callboard;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.delivery.Redelivery;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Backoff;
import io.callboard.zone.ZonePriority;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of {@link ActorOptions} from a configuration; the error has every mistake. */
final class ActorConfig {
  private static final int MOST_LABELS = 1_000;

  private final Fields fields;
  private final ActorOptions options = new ActorOptions();

  private ActorConfig(Fields fields) {
    this.fields = fields;
  }

  /** See {@link ActorOptions#of}. */
  static ActorOptions read(JsonObject config) {
    List<FieldDefect> defects = new ArrayList<>();
    Fields fields = new Fields(Fields.tree("actor options", config), "", defects::add);
    ActorConfig read = new ActorConfig(fields);
    fields.noNulls();
    read.turns();
    read.placement();
    read.persistence();
    fields.noOthers();
    if (!defects.isEmpty()) {
      throw new IllegalArgumentException("actor options: " + FieldDefect.line(defects));
    }
    return read.options;
  }

  private void turns() {
    fields.convert("mailboxLimit", fields::number, options::mailboxLimit);
    fields.convert("whenFull", key -> fields.constant(key, WhenFull.class), options::whenFull);
    fields.convert("attempts", fields::number, options::attempts);
    fields.convert("startTimeout", fields::duration, options::startTimeout);
    fields.convert("stopTimeout", fields::duration, options::stopTimeout);
    fields.convert("turnTimeout", fields::duration, options::turnTimeout);
    fields.convert("passivateAfter", fields::duration, options::passivateAfter);
    fields.convert("backoff", this::backoffAt, options::backoff);
    fields.convert("delivery", key -> fields.text(key).map(DeliveryMode::of), options::delivery);
    fields.convert(
        "redeliveryAttempts",
        this::positive,
        most -> options.redelivery(new Redelivery(options.redelivery().backoff(), most)));
    fields.convert(
        "redeliveryBackoff",
        this::backoffAt,
        backoff -> options.redelivery(new Redelivery(backoff, options.redelivery().attempts())));
  }

  private void placement() {
    // the guardian takes the path out; it is known so that a mistyped one finds it
    if (fields.value("path").isPresent()) {
      fields.defect(
          "path", "is only for actors that are deployed as verticles: pass the path to spawn", "");
    }
    fields.convert("zone", fields::text, options::zone);
    fields.convert(
        "zonePriority", key -> fields.text(key).map(ZonePriority::of), options::zonePriority);
    fields.convert("onBus", fields::flag, options::onBus);
    fields.convert("group", fields::text, options::group);
    fields.convert(
        "requiredLabels", key -> fields.textsByName(key, MOST_LABELS), options::requiredLabels);
  }

  private void persistence() {
    fields.convert(
        "snapshotEvery",
        this::positive,
        events -> {
          SnapshotPolicy was = options.snapshots();
          return options.snapshots(
              new SnapshotPolicy(events, was.bytes(), was.after(), was.keep()));
        });
    fields.convert(
        "snapshotBytes",
        this::positive,
        bytes -> options.snapshots(options.snapshots().orBytes(bytes)));
    fields.convert(
        "snapshotAfter",
        fields::duration,
        after ->
            options.snapshots(
                options.snapshots().orAfter(ActorOptions.positive("snapshotAfter", after))));
    fields.convert(
        "snapshotsKept",
        key -> fields.number(key, 1, SnapshotPolicy.MOST_KEPT),
        kept -> options.snapshots(options.snapshots().keep(kept)));
    fields.convert("archived", fields::flag, options::archived);
  }

  private Optional<Integer> positive(String key) {
    return fields.number(key, 1, Integer.MAX_VALUE);
  }

  /** Returns a backoff by its form; see {@link ActorOptions#of}. */
  private Optional<Backoff> backoffAt(String key) {
    return fields.nested(key).flatMap(ActorConfig::backoff);
  }

  private static Optional<Backoff> backoff(Fields config) {
    Optional<String> form =
        config.required("form", key -> config.word(key, List.of("exponential", "slotted")));
    if (form.isEmpty()) {
      return Optional.empty();
    } else if (form.get().equals("exponential")) {
      Optional<Duration> min = config.required("min", config::duration);
      Optional<Duration> max = config.required("max", config::duration);
      Backoff.Jitter jitter =
          config.constant("jitter", Backoff.Jitter.class).orElse(Backoff.Jitter.EQUAL);
      config.noOthers();
      return min.flatMap(low -> max.map(high -> Backoff.exponential(low, high, jitter)));
    }
    Optional<Duration> slot = config.required("slotTime", config::duration);
    Optional<Integer> ceiling = config.required("ceiling", config::number);
    boolean stays = config.flag("stayAtCeiling").orElse(false);
    config.noOthers();
    return slot.flatMap(time -> ceiling.map(most -> Backoff.slotted(time, most, stays)));
  }
}
