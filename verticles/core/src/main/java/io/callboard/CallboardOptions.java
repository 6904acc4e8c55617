package io.callboard;

import io.callboard.internal.zone.Zones;
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

/** How a node runs. Setters change and return this object; it is copied when used. */
@com.google.errorprone.annotations.CheckReturnValue
public final class CallboardOptions {
  /** Commits under way at most, unless told otherwise. */
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

  public CallboardOptions() {}

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

  /** The node's name, unique in its cell; default random. */
  public String name() {
    return name;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions name(String value) {
    Objects.requireNonNull(
        value, "name is null: give the node one, or leave it out for a random one");
    if (!value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException(
          "\"%s\" is not a node name: use up to 63 letters, digits and - _ .".formatted(value));
    }
    name = value;
    return this;
  }

  /** Identifies the locked data directory, if there is one; see {@code NodeIdentity}. */
  public String homeId() {
    return homeId;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions homeId(String id) {
    homeId = Objects.requireNonNull(id, "homeId is null: leave it out if there is none");
    return this;
  }

  /** This node's share of the durable actors beside nodes of weight 1; default 1. */
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
          "weight is %s: give a number over 0, at most %s".formatted(share, Offer.MOST_WEIGHT));
    }
    weight = share;
    return this;
  }

  /**
   * The machine that this node runs on, or what else fails as one, such as a rack; empty, the
   * default, for the name of this host. Roles have their standbys on another machine than their
   * holders, where there is one.
   */
  public String machine() {
    return locality.machine();
  }

  /**
   * See {@link #machine()}.
   *
   * @throws IllegalArgumentException if it is not up to 253 letters, digits and - _ . :
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions machine(String machine) {
    Objects.requireNonNull(machine, "machine is null: leave it out for the name of this host");
    locality = new Locality(machine, locality.labels());
    return this;
  }

  /** What an operator says of this node, for example {@code disk=ssd}; default nothing. */
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

  /** How long an ask waits for its answer if it does not say, default 30 s. */
  public Duration askTimeout() {
    return askTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions askTimeout(Duration timeout) {
    askTimeout = ActorOptions.positive("askTimeout", timeout);
    return this;
  }

  /**
   * How long a message told outside of any turn waits for room in a full mailbox before it is
   * refused, default 30 s; an ask waits no longer than for its answer.
   */
  public Duration roomTimeout() {
    return roomTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions roomTimeout(Duration timeout) {
    roomTimeout = ActorOptions.notForEver("roomTimeout", timeout);
    return this;
  }

  /** How often owned mailboxes are looked at although no hint came, default 30 s. */
  public Duration sweepEvery() {
    return sweepEvery;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions sweepEvery(Duration period) {
    sweepEvery = ActorOptions.notForEver("sweepEvery", period);
    return this;
  }

  /** Commits of this node under way at most, default {@value #DEFAULT_COMMIT_WINDOW}. */
  public int commitWindow() {
    return commitWindow;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions commitWindow(int commits) {
    commitWindow = ActorOptions.positive("commitWindow", commits);
    return this;
  }

  /**
   * Where events of archived actors are read that their journals have no more, when a state is made
   * again of all of them; null, the default, for nowhere. On all nodes of a cell the same.
   */
  public @Nullable EventHistory history() {
    return history;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions history(@Nullable EventHistory archived) {
    history = archived;
    return this;
  }

  /**
   * Durable actors of this node that read their states at once, default 50; the others wait in
   * their order, so that a node which takes over many does not storm the store.
   */
  public int recoveries() {
    return recoveries;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions recoveries(int actors) {
    recoveries = ActorOptions.positive("recoveries", actors);
    return this;
  }

  /**
   * How long a durable actor may take to read and replay its state, its wait for others not
   * counted, before its start counts as failed; default 2 min. Its {@link
   * ActorOptions#startTimeout()} comes on top of it.
   */
  public Duration recoveryTimeout() {
    return recoveryTimeout;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions recoveryTimeout(Duration limit) {
    recoveryTimeout = ActorOptions.positive("recoveryTimeout", limit);
    return this;
  }

  /** Asks of this node that may wait for an answer at once, default 100,000. */
  public int pendingAsks() {
    return pendingAsks;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions pendingAsks(int limit) {
    pendingAsks = ActorOptions.positive("pendingAsks", limit);
    return this;
  }

  /** Makes the store; default a {@link MemoryStore}, durable only as long as the process. */
  public Supplier<Store> store() {
    return store;
  }

  /** Whether nobody chose a store, so that what is durable ends with the process. */
  public boolean isInMemoryByDefault() {
    return store == IN_MEMORY;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions store(Supplier<Store> factory) {
    store =
        Objects.requireNonNull(
            factory, "store is null: give what makes one, such as MemoryStore::new");
    return this;
  }

  /** By which the node goes; default {@link Time#SYSTEM}. */
  public Time time() {
    return time;
  }

  /** For tests: the node goes by a time that they move. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions time(Time given) {
    time =
        Objects.requireNonNull(
            given, "time is null: give Time.SYSTEM, or a time that a test moves");
    return this;
  }

  /** Of which all randomness of the node is made; empty, the default, for another each time. */
  public OptionalLong seed() {
    return seed;
  }

  /** For tests: the backoffs, jitters and samples of the node are the same with the same seed. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public CallboardOptions seed(long given) {
    seed = OptionalLong.of(given);
    return this;
  }

  /** The scheduling zones by name; the defaults of {@link Zones#defaults()} are always there. */
  public Map<String, ZoneOptions> zones() {
    return Map.copyOf(zones);
  }

  /**
   * Adds a zone, or changes one that is always there.
   *
   * @throws IllegalArgumentException if a zone of that name cannot be so, see {@link
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
