package io.callboard;

import io.callboard.delivery.Redelivery;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.placement.Locality;
import io.callboard.store.Limits;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZonePriority;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an actor runs. Setters change and return this object; it is copied when used. */
@com.google.errorprone.annotations.CheckReturnValue
public final class ActorOptions {
  /** Messages a mailbox holds. */
  public static final int DEFAULT_MAILBOX_LIMIT = Limits.MAILBOX_MESSAGES;

  /** Attempts after which a failing message is parked. */
  public static final int DEFAULT_ATTEMPTS = 5;

  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration TURN_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration PASSIVATE_AFTER = Duration.ofMinutes(2);
  private static final SupervisionOptions SUPERVISION = new SupervisionOptions();

  private String zone = ZoneDefaults.DEFAULT;
  private ZonePriority zonePriority = ZonePriority.NORMAL;
  private int mailboxLimit = DEFAULT_MAILBOX_LIMIT;
  private WhenFull whenFull = WhenFull.WAIT;
  private int attempts = DEFAULT_ATTEMPTS;
  private Duration startTimeout = START_TIMEOUT;
  private Duration stopTimeout = STOP_TIMEOUT;
  private Duration turnTimeout = TURN_TIMEOUT;
  private Duration passivateAfter = PASSIVATE_AFTER;
  private SnapshotPolicy snapshots = SnapshotPolicy.DEFAULT;
  private Redelivery redelivery = Redelivery.DEFAULT;
  private boolean archived;
  private boolean onBus = true;
  private @Nullable Interceptor interceptor;
  private @Nullable DeliveryMode delivery;
  private @Nullable String group;
  private Map<String, String> requiredLabels = Map.of();
  private SupervisionOptions supervision = SUPERVISION;

  public ActorOptions() {}

  public ActorOptions(ActorOptions other) {
    zone = other.zone;
    zonePriority = other.zonePriority;
    mailboxLimit = other.mailboxLimit;
    whenFull = other.whenFull;
    attempts = other.attempts;
    startTimeout = other.startTimeout;
    stopTimeout = other.stopTimeout;
    turnTimeout = other.turnTimeout;
    passivateAfter = other.passivateAfter;
    snapshots = other.snapshots;
    redelivery = other.redelivery;
    archived = other.archived;
    onBus = other.onBus;
    interceptor = other.interceptor;
    delivery = other.delivery;
    group = other.group;
    requiredLabels = other.requiredLabels;
    supervision = other.supervision;
  }

  /**
   * Options from a configuration: {@code zone, zonePriority} (low, normal or high), {@code
   * mailboxLimit, whenFull} (wait, reject, drop, park or drop-oldest), {@code attempts,
   * startTimeout, stopTimeout, turnTimeout, passivateAfter} (ISO 8601 durations), {@code
   * snapshotEvery} (events), {@code snapshotBytes, snapshotAfter, snapshotsKept,
   * redeliveryAttempts, redeliveryBackoff, archived, onBus}, {@code delivery} (a {@link
   * DeliveryMode#key()}), {@code group, requiredLabels} (an object of texts), {@code backoff}:
   *
   * <pre>{@code
   * {"form":"exponential","min":"PT0.2S","max":"PT30S","jitter":"equal"}
   * {"form":"slotted","slotTime":"PT0.02S","ceiling":10,"stayAtCeiling":true}
   * }</pre>
   *
   * <p>Jitter is none, equal, full or decorrelated, default equal; {@code stayAtCeiling} is false
   * by default. See {@link io.callboard.supervision.ExponentialBackoff} and {@link
   * io.callboard.supervision.SlottedBackoff}.
   *
   * @throws IllegalArgumentException for an unknown key or a wrong value; the message names it
   */
  public static ActorOptions of(JsonObject config) {
    return ActorConfig.read(
        Objects.requireNonNull(
            config, "config is null: give an object, such as {\"zone\":\"blocking\"}"));
  }

  /** The scheduling zone, default {@value io.callboard.zone.ZoneDefaults#DEFAULT}. */
  public String zone() {
    return zone;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions zone(String name) {
    zone = Objects.requireNonNull(name, "zone is null: give the name of one, such as blocking");
    return this;
  }

  /** Whose turn is first in the zone; default {@link ZonePriority#NORMAL}. */
  public ZonePriority zonePriority() {
    return zonePriority;
  }

  /** A priority that the zone's kind does not know is refused when the actor is started. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions zonePriority(ZonePriority priority) {
    zonePriority =
        Objects.requireNonNull(priority, "zonePriority is null: choose LOW, NORMAL or HIGH");
    return this;
  }

  /** Labels that a node needs to run this actor; default none. */
  public Map<String, String> requiredLabels() {
    return requiredLabels;
  }

  /**
   * Only nodes with all of these labels ({@link CallboardOptions#labels}) run this durable actor:
   * are candidates for its role, or own what is hosted. The others may spawn or host it all the
   * same, and get a ref; so every node can run the same program. Give all that is hosted in one
   * space the same.
   *
   * @throws IllegalArgumentException for a key or value that can be no label
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions requiredLabels(Map<String, String> labels) {
    requiredLabels =
        Locality.checked(
            Objects.requireNonNull(
                labels, "requiredLabels is null: give Map.of() if none are required"));
    return this;
  }

  /**
   * Messages that wait in the mailbox before senders are told that it is full, default {@value
   * #DEFAULT_MAILBOX_LIMIT}. A volatile mailbox holds that many of each priority, and senders at
   * the same moment may go over it by one each; senders to a durable one by what they have under
   * way.
   */
  public int mailboxLimit() {
    return mailboxLimit;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions mailboxLimit(int messages) {
    mailboxLimit = positive("mailboxLimit", messages);
    return this;
  }

  /**
   * What happens when the mailbox is full, default {@link WhenFull#WAIT}; a volatile mailbox
   * refuses what comes then, unless it is {@link WhenFull#DROP_OLDEST}.
   */
  public WhenFull whenFull() {
    return whenFull;
  }

  /** {@link WhenFull#DROP_OLDEST} is refused when an actor that is durable is started. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions whenFull(WhenFull wish) {
    whenFull = Objects.requireNonNull(wish, "whenFull is null: choose one, such as WAIT or REJECT");
    return this;
  }

  /**
   * How often a message is tried before it is parked, default {@value #DEFAULT_ATTEMPTS}; in an
   * at-most-once actor it is tried once, whatever this says.
   */
  public int attempts() {
    return attempts;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions attempts(int count) {
    attempts = positive("attempts", count);
    return this;
  }

  /**
   * How long a start may take before it counts as failed, default 30 s. One that holds its thread
   * is told as failed then, too, and is tried again when it has ended after all.
   */
  public Duration startTimeout() {
    return startTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions startTimeout(Duration limit) {
    startTimeout = positive("startTimeout", limit);
    return this;
  }

  /** How long a stop may take before the actor is abandoned, default 10 s. */
  public Duration stopTimeout() {
    return stopTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions stopTimeout(Duration limit) {
    stopTimeout = positive("stopTimeout", limit);
    return this;
  }

  /** How long a handler's future may stay open before it counts as failed, default 1 min. */
  public Duration turnTimeout() {
    return turnTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions turnTimeout(Duration limit) {
    turnTimeout = positive("turnTimeout", limit);
    return this;
  }

  /** Idle time after which a hosted actor leaves memory, default 2 min. */
  public Duration passivateAfter() {
    return passivateAfter;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions passivateAfter(Duration idle) {
    passivateAfter = positive("passivateAfter", idle);
    return this;
  }

  /** When snapshots of a persistent actor's state are made; {@link SnapshotPolicy#DEFAULT}. */
  public SnapshotPolicy snapshots() {
    return snapshots;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions snapshots(SnapshotPolicy policy) {
    snapshots =
        Objects.requireNonNull(
            policy, "snapshots is null: give a policy, such as SnapshotPolicy.every(100)");
    return this;
  }

  /**
   * Whether all events of a persistent actor go to the archive, with their commits, and so outlive
   * its journal and itself; default no. An event has up to 30 KiB as JSON then.
   */
  public boolean archived() {
    return archived;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions archived(boolean value) {
    archived = value;
    return this;
  }

  /** How what it delivers is sent again until confirmed; {@link Redelivery#DEFAULT}. */
  public Redelivery redelivery() {
    return redelivery;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions redelivery(Redelivery policy) {
    redelivery =
        Objects.requireNonNull(policy, "redelivery is null: give one, as Redelivery.DEFAULT");
    return this;
  }

  /** Whether plain Vert.x code reaches the actor under {@code callboard:/<path>}; default yes. */
  public boolean onBus() {
    return onBus;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions onBus(boolean reachable) {
    onBus = reachable;
    return this;
  }

  /** What is around its handlers; empty unless {@link #intercept} was called. */
  public Optional<Interceptor> interceptor() {
    return Optional.ofNullable(interceptor);
  }

  /** Adds a layer around its handlers, inside of those that are there. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions intercept(Interceptor layer) {
    Objects.requireNonNull(layer, "interceptor is null: give one, or leave it out");
    interceptor = interceptor == null ? layer : interceptor.around(layer);
    return this;
  }

  /**
   * What a crash may do to its messages; if it was not chosen, {@link DeliveryMode#VOLATILE} for an
   * {@link Actor} and {@link DeliveryMode#EXACTLY_ONCE} for a {@link DurableActor}.
   */
  public Optional<DeliveryMode> delivery() {
    return Optional.ofNullable(delivery);
  }

  /** A mode that the actor's class cannot have is refused when it is started. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions delivery(DeliveryMode mode) {
    delivery =
        Objects.requireNonNull(
            mode,
            "delivery is null: choose a mode, or leave it out for the default of the actor's class");
    return this;
  }

  /** The group of which it is a member while it runs; empty if of none. */
  public Optional<String> group() {
    return Optional.ofNullable(group);
  }

  /**
   * Lists it in a group, which every node of the cell can see ({@link Callboard#group}). At most
   * 500 actors of one node are in groups: one more is refused with {@code UNAVAILABLE}; a hosted
   * one runs without being listed, which is logged.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions group(String name) {
    group = ActorGroup.named(name);
    return this;
  }

  /** How its supervisor treats its failures. */
  public SupervisionOptions supervision() {
    return supervision;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions supervision(SupervisionOptions options) {
    supervision =
        Objects.requireNonNull(
            options, "supervision is null: give new SupervisionOptions() for the defaults");
    return this;
  }

  /** {@link #supervision()} with another backoff. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions backoff(Backoff backoff) {
    supervision = supervision.backoff(backoff);
    return this;
  }

  static int positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
    return value;
  }

  static Duration positive(String name, Duration value) {
    Duration given = notForEver(name, value);
    if (given.isNegative() || given.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + given);
    }
    return given;
  }

  /** What is longer cannot be counted in nanoseconds, and is meant as never. */
  static Duration notForEver(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null: give a duration, such as 30 seconds");
    if (value.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s must be %d days at most, not %s".formatted(name, Time.LONGEST.toDays(), value));
    }
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ActorOptions that
        && mailboxLimit == that.mailboxLimit
        && attempts == that.attempts
        && onBus == that.onBus
        && zonePriority == that.zonePriority
        && whenFull == that.whenFull
        && delivery == that.delivery
        && zone.equals(that.zone)
        && startTimeout.equals(that.startTimeout)
        && stopTimeout.equals(that.stopTimeout)
        && turnTimeout.equals(that.turnTimeout)
        && passivateAfter.equals(that.passivateAfter)
        && supervision.equals(that.supervision)
        && snapshots.equals(that.snapshots)
        && redelivery.equals(that.redelivery)
        && archived == that.archived
        && requiredLabels.equals(that.requiredLabels)
        && Objects.equals(interceptor, that.interceptor)
        && Objects.equals(group, that.group);
  }

  @Override
  public int hashCode() {
    return Objects.hash(zone, mailboxLimit, attempts, turnTimeout, supervision, group);
  }
}
