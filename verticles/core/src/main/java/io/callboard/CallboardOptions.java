package io.callboard;

import io.callboard.journal.EventHistory;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of a node: its name, store, limits and scheduling zones. Setters change and return this
 * object; it is copied when used. Not thread-safe.
 */
@com.google.errorprone.annotations.CheckReturnValue
public final class CallboardOptions {
  /** Default limit of the commits in flight. */
  public static final int DEFAULT_COMMIT_WINDOW = 4;

  private static final Supplier<Store> IN_MEMORY = MemoryStore::new;

  private String name = "node-" + UUID.randomUUID().toString().substring(0, 8);
  private String homeId = "";
  private double weight = 1;
  private Locality locality = Locality.UNKNOWN;
  private Duration askTimeout = Duration.ofSeconds(30);
  private Duration roomTimeout = Duration.ofSeconds(30);
  private Duration sweepEvery = Duration.ofSeconds(30);
  private int pendingAsks = 100_000;
  private int commitWindow = DEFAULT_COMMIT_WINDOW;
  private int recoveries = 50;
  private Duration recoveryTimeout = Duration.ofMinutes(2);
  private @Nullable EventHistory history;
  private Supplier<Store> store = IN_MEMORY;
  private Time time = Time.SYSTEM;
  private OptionalLong seed = OptionalLong.empty();
  private final Map<String, ZoneOptions> zones = new LinkedHashMap<>(ZoneDefaults.zones());

  /** Creates the default options. */
  public CallboardOptions() {}

  /** Creates a copy of {@code other}. */
  public CallboardOptions(CallboardOptions other) {
    name = other.name;
    homeId = other.homeId;
    weight = other.weight;
    locality = other.locality;
    askTimeout = other.askTimeout;
    roomTimeout = other.roomTimeout;
    sweepEvery = other.sweepEvery;
    pendingAsks = other.pendingAsks;
    commitWindow = other.commitWindow;
    recoveries = other.recoveries;
    recoveryTimeout = other.recoveryTimeout;
    history = other.history;
    store = other.store;
    time = other.time;
    seed = other.seed;
    zones.putAll(other.zones);
  }

  /** Returns the node's name, unique in its cell; random by default. */
  public String name() {
    return name;
  }

  /**
   * See {@link #name()}.
   *
   * @throws IllegalArgumentException if it is not up to 63 letters, digits and - _ . that begin
   *     with a letter or digit
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions name(String value) {
    Objects.requireNonNull(
        value, "name is null: give the node one, or leave it out for a random one");
    if (!value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException(
          "\"%s\" is not a node name: use up to 63 letters, digits and - _ ., the first a letter or digit"
              .formatted(value));
    }
    name = value;
    return this;
  }

  /** Identifies the locked data directory, if there is one; see {@code NodeIdentity}. */
  public String homeId() {
    return homeId;
  }

  /** See {@link #homeId()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions homeId(String id) {
    homeId = Objects.requireNonNull(id, "homeId is null: leave it out if there is none");
    return this;
  }

  /** Returns this node's share of the durable actors, relative to nodes of weight 1; default 1. */
  public double weight() {
    return weight;
  }

  /**
   * See {@link #weight()}.
   *
   * @param share over 0, at most 1000
   * @throws IllegalArgumentException if it is not
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions weight(double share) {
    if (!(share > 0 && share <= Offer.MOST_WEIGHT)) {
      throw new IllegalArgumentException(
          "weight is %s: give a number greater than 0, at most %s"
              .formatted(share, Offer.MOST_WEIGHT));
    }
    weight = share;
    return this;
  }

  /**
   * Returns the machine that this node runs on, or another unit that fails as a whole, such as a
   * rack; empty, the default, for the name of this host. A role's standby is on another machine
   * than its holder if there is one.
   */
  public String machine() {
    return locality.machine();
  }

  /**
   * See {@link #machine()}.
   *
   * @throws IllegalArgumentException if the name is not up to 253 letters, digits and - _ . :
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions machine(String machine) {
    Objects.requireNonNull(machine, "machine is null: leave it out for the name of this host");
    locality = new Locality(machine, locality.labels());
    return this;
  }

  /** Labels of this node, given by its operator, for example {@code disk=ssd}; default none. */
  public Map<String, String> labels() {
    return locality.labels();
  }

  /**
   * Replaces the labels. Actors may require some: {@link ActorOptions#requiredLabels}.
   *
   * @throws IllegalArgumentException for more than {@value Locality#MOST_LABELS}, or a key or value
   *     that is not up to 63 letters, digits and - _ . /
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions labels(Map<String, String> labels) {
    Objects.requireNonNull(labels, "labels are null: leave them out if there are none");
    locality = new Locality(locality.machine(), labels);
    return this;
  }

  /** Returns the timeout of an ask that names none; default 30 s. */
  public Duration askTimeout() {
    return askTimeout;
  }

  /** See {@link #askTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions askTimeout(Duration timeout) {
    askTimeout = ActorOptions.positive("askTimeout", timeout);
    return this;
  }

  /**
   * Returns the time that a message sent outside of a turn waits for room in a full mailbox before
   * it is refused, default 30 s; an ask waits no longer than its own timeout.
   */
  public Duration roomTimeout() {
    return roomTimeout;
  }

  /** See {@link #roomTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions roomTimeout(Duration timeout) {
    roomTimeout = ActorOptions.notForEver("roomTimeout", timeout);
    return this;
  }

  /**
   * Returns the period of the sweep over all owned mailboxes, which finds mail whose hint was lost;
   * default 30 s.
   */
  public Duration sweepEvery() {
    return sweepEvery;
  }

  /** See {@link #sweepEvery()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions sweepEvery(Duration period) {
    sweepEvery = ActorOptions.notForEver("sweepEvery", period);
    return this;
  }

  /**
   * Returns the limit of this node's commits in flight, default {@value #DEFAULT_COMMIT_WINDOW}.
   */
  public int commitWindow() {
    return commitWindow;
  }

  /** See {@link #commitWindow()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions commitWindow(int commits) {
    commitWindow = ActorOptions.positive("commitWindow", commits);
    return this;
  }

  /**
   * Returns the archive from which events are read that a journal no longer has, when a state is
   * rebuilt from all of its events; null, the default, for none. It must be the same on all nodes
   * of a cell.
   */
  public @Nullable EventHistory history() {
    return history;
  }

  /** See {@link #history()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions history(@Nullable EventHistory archived) {
    history = archived;
    return this;
  }

  /**
   * Returns the limit of the durable actors of this node that recover at the same time, default 50;
   * the others wait in order, so that a node which takes over many does not overload the store.
   */
  public int recoveries() {
    return recoveries;
  }

  /** See {@link #recoveries()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions recoveries(int actors) {
    recoveries = ActorOptions.positive("recoveries", actors);
    return this;
  }

  /**
   * Returns the time limit of a durable actor's recovery, the reading and replay of its state,
   * after which its start counts as failed; default 2 min. The wait for its turn among other
   * recoveries is not counted, and {@link ActorOptions#startTimeout()} comes on top.
   */
  public Duration recoveryTimeout() {
    return recoveryTimeout;
  }

  /** See {@link #recoveryTimeout()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions recoveryTimeout(Duration limit) {
    recoveryTimeout = ActorOptions.positive("recoveryTimeout", limit);
    return this;
  }

  /** Returns the limit of the asks of this node that wait for an answer, default 100,000. */
  public int pendingAsks() {
    return pendingAsks;
  }

  /** See {@link #pendingAsks()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions pendingAsks(int limit) {
    pendingAsks = ActorOptions.positive("pendingAsks", limit);
    return this;
  }

  /**
   * Returns the factory of the store; by default of a {@link MemoryStore}, which ends with the
   * process.
   */
  public Supplier<Store> store() {
    return store;
  }

  /**
   * Returns whether the store was left at its default, so that durable data ends with the process.
   */
  public boolean isInMemoryByDefault() {
    return store == IN_MEMORY;
  }

  /** See {@link #store()}. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions store(Supplier<Store> factory) {
    store =
        Objects.requireNonNull(factory, "store is null: give a factory, such as MemoryStore::new");
    return this;
  }

  /** Returns the clock and timers of the node; default {@link Time#SYSTEM}. */
  public Time time() {
    return time;
  }

  /** Replaces the clock and timers of the node; for tests, which advance them by hand. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions time(Time given) {
    time =
        Objects.requireNonNull(given, "time is null: give Time.SYSTEM, or a ManualTime in tests");
    return this;
  }

  /**
   * Returns the seed of all randomness of the node; empty, the default, for a different one at each
   * start.
   */
  public OptionalLong seed() {
    return seed;
  }

  /**
   * Fixes the seed, for tests: with the same seed the node's backoffs, jitters and samples are the
   * same.
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions seed(long given) {
    seed = OptionalLong.of(given);
    return this;
  }

  /** Returns the scheduling zones by name; those of {@link ZoneDefaults#zones()} always exist. */
  public Map<String, ZoneOptions> zones() {
    return Map.copyOf(zones);
  }

  /**
   * Adds a scheduling zone, or changes a default one.
   *
   * @throws IllegalArgumentException if a zone of that name cannot have these options, see {@link
   *     ZoneOptions#check}
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions zone(String zoneName, ZoneOptions options) {
    Objects.requireNonNull(zoneName, "the name of a zone is null: give one");
    Objects.requireNonNull(
        options, "the options of a zone are null: give some, such as ZoneOptions.fixed(4)");
    options.check(zoneName);
    zones.put(zoneName, options);
    return this;
  }
}
