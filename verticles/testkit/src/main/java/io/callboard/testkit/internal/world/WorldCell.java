package io.callboard.testkit.internal.world;

import io.callboard.DurableActor;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cell of a world: nodes that come and go with their sessions, durable actors that are on one of
 * them at a time, and the messages between all of them. The objects of the actors are the real
 * ones; what the toolkit promises them is played, with all the faults that it allows.
 */
public final class WorldCell {
  /** Time after which the session of a node that is cut off ends, in nanoseconds. */
  public static final long SESSION = 10 * WorldTime.SECOND;

  private static final long HEARTBEAT = 3 * WorldTime.SECOND;

  private final WorldTime time = new WorldTime();
  private final SplittableRandom random;
  private final WorldFaults faults;
  private final WorldNetwork network = new WorldNetwork(this);
  private final List<Home> homes = new ArrayList<>();
  private final Map<String, DurableLife> actors = new HashMap<>();
  private final Map<String, Function<WorldNode, ? extends DurableActor<?, ?>>> hosted =
      new HashMap<>();
  private final Map<String, Map<String, String>> labels = new HashMap<>();
  private final Set<String> draining = new HashSet<>();
  private final Map<String, Map<String, String>> facts = new HashMap<>();
  private final Map<String, WorldNode> latest = new HashMap<>();
  private final WorldWatch watch;

  /** Session of a node. */
  private static final class Home {
    private final WorldNode node;
    private long expiresAt;
    private boolean member = true;
    private int sessions = 1;
    private boolean lost;
    private boolean heard;

    Home(WorldNode node) {
      this.node = node;
    }
  }

  /** Creates a cell without nodes. */
  public WorldCell(SplittableRandom random, WorldWatch watch) {
    this.random = random;
    this.watch = watch;
    this.faults = new WorldFaults(random.split());
  }

  /** Returns the time of the world. */
  public WorldTime time() {
    return time;
  }

  /** Returns the randomness of the world, made of its seed. */
  public SplittableRandom random() {
    return random;
  }

  /** Returns the faults of the network and the store. */
  public WorldFaults faults() {
    return faults;
  }

  WorldNetwork network() {
    return network;
  }

  void answered(String from, Object answer) {
    watch.answered(from, answer);
  }

  void persisted(String path, Object event) {
    watch.persisted(path, event);
  }

  boolean crashes(String path) {
    return watch.crashes(path);
  }

  boolean sendsBeforeCommit(String path) {
    return watch.sendsBeforeCommit(path);
  }

  void saw(String from, String to, Object message) {
    watch.sent(from, to, message);
  }

  // Nodes.

  /**
   * Opens a node. An earlier boot of the same machine is dead for certain, so that its session ends
   * at once.
   */
  public WorldNode open(String name, String boot) {
    for (Home home : homes) {
      if (home.node.node().equals(name) && !home.node.isAlive() && home.member) {
        expire(home);
      }
    }
    WorldNode node = new WorldNode(this, name, boot);
    Home home = new Home(node);
    homes.add(home);
    latest.put(name, node);
    home.expiresAt = time.now() + SESSION;
    time.after(0, () -> beat(home));
    time.after(0, this::settle);
    return node;
  }

  /** Ends a node from one moment to the next; its session lasts. */
  public void kill(WorldNode node) {
    node.die();
  }

  /** Returns the nodes whose processes live. */
  public List<WorldNode> nodes() {
    return homes.stream().map(home -> home.node).filter(WorldNode::isAlive).toList();
  }

  /** Returns whether the session of a node lives. */
  public boolean isMember(WorldNode node) {
    return homes.stream().anyMatch(home -> home.node == node && home.member);
  }

  /** Returns which session a node has, from 1; that of a node which is no member has ended. */
  public int session(WorldNode node) {
    return homes.stream().filter(home -> home.node == node).mapToInt(home -> home.sessions).sum();
  }

  /** Ends a node that has stopped in order: its session ends with it. */
  public void leave(WorldNode node) {
    node.die();
    homes.stream().filter(home -> home.node == node && home.member).forEach(this::expire);
  }

  List<Member> members() {
    return homes.stream()
        .filter(home -> home.member)
        .map(
            home ->
                new Member(
                    home.node.node(),
                    home.node.bootId(),
                    Instant.EPOCH,
                    facts.getOrDefault(home.node.node(), Map.of())))
        .toList();
  }

  /** Gives the hosts of a name labels. */
  public void labels(String name, Map<String, String> its) {
    labels.put(name, its);
    publish(name);
  }

  /** Drains the hosts of a name, or ends that. */
  public void draining(String name, boolean now) {
    if (now ? draining.add(name) : draining.remove(name)) {
      publish(name);
    }
  }

  private void publish(String name) {
    Locality at = new Locality("", labels.getOrDefault(name, Map.of()));
    boolean drains = draining.contains(name);
    String offer = new Offer(Set.of(), Set.of(), 1, drains, at, Map.of()).fact();
    facts.put(name, Map.of(Offer.FACT, offer));
  }

  private void beat(Home home) {
    if (home.member && time.now() >= home.expiresAt) {
      expire(home);
    }
    if (!home.node.isAlive() && !home.member) {
      homes.remove(home);
      return;
    }
    if (home.node.isInTouch() && isNameTaken(home)) {
      watch.nameTaken(home.node);
    } else if (home.node.isInTouch()) {
      contact(home);
    }
    long next = home.node.isInTouch() ? HEARTBEAT : WorldTime.SECOND / 10;
    time.after(next, () -> beat(home));
  }

  private boolean isNameTaken(Home home) {
    return latest.get(home.node.node()) != home.node;
  }

  /** The limit counts from the request, that of the store from its arrival, which is later. */
  private void contact(Home home) {
    long until = home.node.time().nanoTime() + SESSION;
    if (home.lost) {
      home.lost = false;
      home.node.tellListeners(each -> each.sessionLost());
    }
    boolean joins = !home.member;
    home.sessions += joins ? 1 : 0;
    home.member = true;
    home.expiresAt = time.now() + SESSION + random.nextLong(WorldTime.SECOND);
    // before the first answer nothing else is answered, so that nothing runs yet
    long delay = home.heard ? faults.answerDelay() : 0;
    home.heard = true;
    var unused =
        home.node.schedule(delay, () -> home.node.tellListeners(each -> each.sessionLives(until)));
    if (joins) {
      settle();
    }
  }

  private void expire(Home home) {
    home.member = false;
    home.lost = true;
    settle();
  }

  // Durable actors.

  /** Hosts durable actors on all nodes below a prefix. */
  public void host(String prefix, Function<WorldNode, ? extends DurableActor<?, ?>> factory) {
    hosted.put(prefix, factory);
  }

  /** Returns the durable actor of that path. */
  public DurableLife actor(String path) {
    return actors.computeIfAbsent(
        path,
        key -> {
          DurableLife made = new DurableLife(this, path, hosted.containsKey(path), factory(path));
          WorldNode owner = anyMember();
          if (owner != null) {
            made.move(owner);
          }
          return made;
        });
  }

  private Function<WorldNode, ? extends DurableActor<?, ?>> factory(String path) {
    return hosted.entrySet().stream()
        .filter(each -> path.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody hosts " + path));
  }

  /** Returns the durable actors of all nodes. */
  public List<DurableLife> actors() {
    return List.copyOf(actors.values());
  }

  private @Nullable WorldNode anyMember() {
    List<WorldNode> able =
        homes.stream()
            .filter(home -> home.member && home.node.isAlive())
            .map(home -> home.node)
            .toList();
    return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
  }

  /** Moves the actors of nodes whose sessions have ended. */
  private void settle() {
    List<DurableLife> all = new ArrayList<>(actors.values());
    for (DurableLife each : all) {
      WorldNode owner = each.owner();
      if (owner == null || !isMember(owner)) {
        WorldNode next = anyMember();
        if (next != null) {
          each.move(next);
        }
      }
    }
  }

  /** Moves an actor to any node, as by a rebalancing or a failover. */
  public void moveAnywhere(DurableLife actor) {
    WorldNode next = anyMember();
    if (next != null) {
      actor.move(next);
    }
  }

  /** Ends all faults, and lets all nodes and actors go on. */
  public void calm() {
    faults.on(false);
    nodes().forEach(WorldNode::recover);
    actors.values().forEach(DurableLife::quick);
  }

  // Messages.

  /** Puts a message of a user into a durable mailbox. */
  public void tell(String to, Object message) {
    actor(to).receive(message, null);
  }

  /** Sends a message to a volatile actor, as the network would once more. */
  public void send(String to, Object message) {
    network.send(null, to, message, null);
  }

  void stores(String to, Object message, @Nullable WorldAnswer answer) {
    if (watch.stores(to, message)) {
      actor(to).receive(watch.comes(to, message), answer);
    }
  }

  void arrives(String to, Object message, @Nullable WorldAnswer answer) {
    List<WorldNode> with = nodes().stream().filter(node -> node.actor(to) != null).toList();
    if (!with.isEmpty()) {
      WorldNode node = with.get(random.nextInt(with.size()));
      arrives(Objects.requireNonNull(node.actor(to)), to, message, answer);
    } else if (answer != null) {
      nodes().stream().findFirst().ifPresent(node -> answer.missing(node, to));
    }
  }

  void arrives(VolatileLife at, String to, Object message, @Nullable WorldAnswer answer) {
    if (watch.arrives(to, message)) {
      at.receive(watch.comes(to, message), answer);
    }
  }

  void publish(String broadcast, Object news) {
    for (WorldNode node : nodes()) {
      if (faults.copies() > 0) {
        var unused = node.schedule(faults.networkDelay(), () -> node.heard(broadcast, news));
      }
    }
  }
}
