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

/**
 * Options of an actor: its scheduling zone, mailbox, limits, delivery mode and supervision. Setters
 * change and return this object; it is copied when used. Not thread-safe.
 */
@com.google.errorprone.annotations.CheckReturnValue
public final class ActorOptions {
  /** Default limit of the messages in a mailbox. */
  public static final int DEFAULT_MAILBOX_LIMIT = Limits.MAILBOX_MESSAGES;

  /** Default number of attempts after which a failing message is parked. */
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

  /** Creates the default options. */
  public ActorOptions() {}

  /** Creates a copy of {@code other}. */
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
   * Reads options from a configuration with the keys {@code zone, zonePriority} (low, normal or
   * high), {@code mailboxLimit, whenFull} (wait, reject, drop, park or drop-oldest), {@code
   * attempts, startTimeout, stopTimeout, turnTimeout, passivateAfter} (ISO 8601 durations), {@code
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

  /** Returns the scheduling zone, default {@value io.callboard.zone.ZoneDefaults#DEFAULT}. */
  public String zone() {
    return zone;
  }

  /** See {@link #zone()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions zone(String name) {
    zone = Objects.requireNonNull(name, "zone is null: give the name of one, such as blocking");
    return this;
  }

  /**
   * Returns the actor's priority among the actors of its zone; default {@link ZonePriority#NORMAL}.
   */
  public ZonePriority zonePriority() {
    return zonePriority;
  }

  /**
   * See {@link #zonePriority()}. A priority that the zone's kind does not support is refused when
   * the actor is started.
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions zonePriority(ZonePriority priority) {
    zonePriority =
        Objects.requireNonNull(priority, "zonePriority is null: choose LOW, NORMAL or HIGH");
    return this;
  }

  /** Returns the labels that a node must have to run this actor; default none. */
  public Map<String, String> requiredLabels() {
    return requiredLabels;
  }

  /**
   * Restricts a durable actor to nodes with all of these labels ({@link CallboardOptions#labels}):
   * only they are candidates for its role, or own its partition. Other nodes may spawn or host it
   * all the same, and get a ref, so that every node can run the same program. All actors that are
   * hosted in one space must require the same labels.
   *
   * @throws IllegalArgumentException for a key or value that is not a valid label
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
   * Returns the limit of the messages in the mailbox, default {@value #DEFAULT_MAILBOX_LIMIT};
   * beyond it {@link #whenFull()} applies. A volatile mailbox holds that many of each priority, and
   * concurrent senders may exceed the limit by one message each; senders to a durable one by the
   * messages that they have in flight.
   */
  public int mailboxLimit() {
    return mailboxLimit;
  }

  /** See {@link #mailboxLimit()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions mailboxLimit(int messages) {
    mailboxLimit = positive("mailboxLimit", messages);
    return this;
  }

  /**
   * Returns the policy for messages to a full mailbox, default {@link WhenFull#WAIT}; a volatile
   * mailbox rejects them unless this is {@link WhenFull#DROP_OLDEST}.
   */
  public WhenFull whenFull() {
    return whenFull;
  }

  /**
   * See {@link #whenFull()}. {@link WhenFull#DROP_OLDEST} is refused when a durable actor is
   * started.
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions whenFull(WhenFull wish) {
    whenFull = Objects.requireNonNull(wish, "whenFull is null: choose one, such as WAIT or REJECT");
    return this;
  }

  /**
   * Returns the number of attempts to handle a message before it is parked, default {@value
   * #DEFAULT_ATTEMPTS}; an at-most-once actor always makes one.
   */
  public int attempts() {
    return attempts;
  }

  /** See {@link #attempts()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions attempts(int count) {
    attempts = positive("attempts", count);
    return this;
  }

  /**
   * Returns the time limit of a start, after which it counts as failed; default 30 s. A start that
   * blocks its thread counts as failed then, too, and is retried once it has ended.
   */
  public Duration startTimeout() {
    return startTimeout;
  }

  /** See {@link #startTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions startTimeout(Duration limit) {
    startTimeout = positive("startTimeout", limit);
    return this;
  }

  /** Returns the time limit of a stop, after which the actor is abandoned; default 10 s. */
  public Duration stopTimeout() {
    return stopTimeout;
  }

  /** See {@link #stopTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions stopTimeout(Duration limit) {
    stopTimeout = positive("stopTimeout", limit);
    return this;
  }

  /**
   * Returns the time limit of a handler's future, after which it counts as failed; default 1 min.
   */
  public Duration turnTimeout() {
    return turnTimeout;
  }

  /** See {@link #turnTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions turnTimeout(Duration limit) {
    turnTimeout = positive("turnTimeout", limit);
    return this;
  }

  /**
   * Returns the idle time after which a hosted actor is passivated: it leaves memory until its next
   * message. Default 2 min.
   */
  public Duration passivateAfter() {
    return passivateAfter;
  }

  /** See {@link #passivateAfter()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions passivateAfter(Duration idle) {
    passivateAfter = positive("passivateAfter", idle);
    return this;
  }

  /**
   * Returns the policy that says when a persistent actor's state is snapshotted; default {@link
   * SnapshotPolicy#DEFAULT}.
   */
  public SnapshotPolicy snapshots() {
    return snapshots;
  }

  /** See {@link #snapshots()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions snapshots(SnapshotPolicy policy) {
    snapshots =
        Objects.requireNonNull(
            policy, "snapshots is null: give a policy, such as SnapshotPolicy.every(100)");
    return this;
  }

  /**
   * Returns whether all events of a persistent actor also go to the archive, with their commits, so
   * that they outlive its journal and the actor; default false. Each event may then have up to 30
   * KiB as JSON.
   */
  public boolean archived() {
    return archived;
  }

  /** See {@link #archived()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions archived(boolean value) {
    archived = value;
    return this;
  }

  /**
   * Returns the policy by which unconfirmed deliveries are repeated; default {@link
   * Redelivery#DEFAULT}.
   */
  public Redelivery redelivery() {
    return redelivery;
  }

  /** See {@link #redelivery()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions redelivery(Redelivery policy) {
    redelivery =
        Objects.requireNonNull(policy, "redelivery is null: give one, as Redelivery.DEFAULT");
    return this;
  }

  /**
   * Returns whether plain Vert.x code can reach the actor on the event bus, at {@code
   * callboard:/<path>}, and, if it is volatile, actors of other nodes, too; default true. For other
   * nodes a volatile actor that is not on the bus does not exist ({@code NO_SUCH_ACTOR}).
   */
  public boolean onBus() {
    return onBus;
  }

  /** See {@link #onBus()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions onBus(boolean reachable) {
    onBus = reachable;
    return this;
  }

  /**
   * Returns the interceptors around the actor's handlers, composed into one; empty unless {@link
   * #intercept} was called.
   */
  public Optional<Interceptor> interceptor() {
    return Optional.ofNullable(interceptor);
  }

  /** Adds an interceptor around the actor's handlers, inside of those added before. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions intercept(Interceptor layer) {
    Objects.requireNonNull(layer, "interceptor is null: give one, or leave it out");
    interceptor = interceptor == null ? layer : interceptor.around(layer);
    return this;
  }

  /**
   * Returns the delivery guarantee of the actor's messages; if empty, {@link DeliveryMode#VOLATILE}
   * for an {@link Actor} and {@link DeliveryMode#EXACTLY_ONCE} for a {@link DurableActor}.
   */
  public Optional<DeliveryMode> delivery() {
    return Optional.ofNullable(delivery);
  }

  /**
   * See {@link #delivery()}. A mode that the actor's class does not support is refused when it is
   * started.
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions delivery(DeliveryMode mode) {
    delivery =
        Objects.requireNonNull(
            mode,
            "delivery is null: choose a mode, or leave it out for the default of the actor's class");
    return this;
  }

  /** Returns the group that the actor is a member of while it runs; empty if there is none. */
  public Optional<String> group() {
    return Optional.ofNullable(group);
  }

  /**
   * Makes the actor a member of a group that every node of the cell can see ({@link
   * Callboard#group}). At most 500 actors of a node can be in groups: one more is refused with
   * {@code UNAVAILABLE}; a hosted one runs without being a member, which is logged.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions group(String name) {
    group = ActorGroup.named(name);
    return this;
  }

  /** Returns the options by which the supervisor handles the actor's failures. */
  public SupervisionOptions supervision() {
    return supervision;
  }

  /** See {@link #supervision()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public ActorOptions supervision(SupervisionOptions options) {
    supervision =
        Objects.requireNonNull(
            options, "supervision is null: give new SupervisionOptions() for the defaults");
    return this;
  }

  /** Replaces the backoff of {@link #supervision()}. */
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

  /**
   * Returns {@code value} if it is at most {@link Time#LONGEST}, the longest time that is counted.
   *
   * @throws IllegalArgumentException if it is longer
   */
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
        && interceptor == that.interceptor // the equality of the user's own code is not asked
        && Objects.equals(group, that.group);
  }

  @Override
  public int hashCode() {
    return Objects.hash(zone, mailboxLimit, attempts, turnTimeout, supervision, group);
  }
}
