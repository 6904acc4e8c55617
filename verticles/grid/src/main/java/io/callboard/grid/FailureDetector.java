package io.callboard.grid;

import io.callboard.codecs.BoundedMap;
import io.callboard.grid.Heartbeat.Kind;
import io.callboard.placement.VacancyReason;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Detector of nodes that are gone before their sessions end. A machine without I/O: it is given the
 * time and the received heartbeats, and returns what to send and whom to suspect. Not thread-safe.
 *
 * <p>After SWIM (Das, Gupta, Motivala, 2002): before a silent node is suspected, others are asked
 * whether they hear it. After Lifeguard (Dadgar, Phillips, Currey, 2018): a node that is itself
 * slow suspects nobody.
 */
@Machine
final class FailureDetector {
  /**
   * Number of other nodes up to which all are watched; in a larger cell a node watches this many
   * successors on the ring of boot ids.
   */
  static final int MOST_WATCHED = 6;

  /** Number of nodes that are asked whether they hear a silent one. */
  private static final int MOST_ASKED = 3;

  /** Number of departed nodes whose last heartbeat is remembered. */
  private static final int MOST_DEPARTED = 100;

  /** Ticks between two heartbeats to a node that is suspected, or that never answered. */
  private static final int FEWER = 5;

  /**
   * Ticks between two heartbeats to a node whose process is gone, and between two reports of the
   * same suspicion.
   */
  private static final int RENEWAL = 20;

  /**
   * Number of heartbeats, one each tick, to a node that has not answered yet; then it gets fewer.
   */
  private static final int FIRST = 20;

  /**
   * Maximum number of times that the patience with a node is doubled, once for each false alarm.
   */
  private static final int MOST_DOUBLINGS = 3;

  private final String self;
  private final long intervalNs;
  private final long silenceNs;
  private final Map<String, Peer> peers = new HashMap<>();
  private final Map<String, Long> departed = BoundedMap.ofNewest(MOST_DEPARTED);
  private final List<Sending> out = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private Set<String> members = Set.of();
  private long tickedNs;
  private boolean ticked;
  private long ticks;

  /** Heartbeat to send to the node of boot id {@code to}. */
  record Sending(String to, Heartbeat heartbeat) {}

  /**
   * Change of a suspicion: the node is suspected for {@code loss} or, if that is empty, no longer
   * suspected because it was heard or is no longer a member.
   */
  record Verdict(String boot, Optional<VacancyReason> loss) {}

  private static final class Peer {
    private boolean heard;
    private long heardNs;
    private int pings;

    /**
     * {@code true} if another node reported that the host refuses connections to it; {@code
     * accusedNs} is when.
     */
    private boolean accused;

    private long accusedNs;
    private boolean asked;
    private long askedNs;
    private int falseAlarms;
    private Optional<VacancyReason> suspected = Optional.empty();

    /** {@code true} if this node found the loss itself, and therefore repeats the report. */
    private boolean itself;

    private long suspectedNs;
    private final Map<String, Long> askers = new HashMap<>();
  }

  FailureDetector(String self, GridOptions options) {
    this.self = self;
    this.intervalNs = options.heartbeatInterval().toNanos();
    this.silenceNs = options.silence().toNanos();
  }

  /** Replaces the set of live members of the cell, by boot id. */
  void members(Set<String> boots) {
    members = Set.copyOf(boots);
    peers.forEach(
        (boot, peer) -> {
          if (members.contains(boot)) {
            return;
          }
          if (peer.heard) {
            departed.put(boot, peer.heardNs);
          }
          if (peer.suspected.isPresent()) { // it may come back, with a new session of its boot
            verdicts.add(new Verdict(boot, Optional.empty()));
          }
        });
    peers.keySet().retainAll(members);
  }

  private Peer peer(String boot) {
    return peers.computeIfAbsent(boot, b -> new Peer());
  }

  private boolean isOther(String boot) {
    return members.contains(boot) && !boot.equals(self);
  }

  /**
   * Returns the nodes to which this node sends heartbeats: all others, or its successors on the
   * ring.
   */
  Set<String> watched() {
    TreeSet<String> ring = new TreeSet<>(members);
    ring.remove(self);
    if (ring.size() <= MOST_WATCHED) {
      return ring;
    }
    List<String> order = new ArrayList<>(ring.tailSet(self, false));
    order.addAll(ring.headSet(self, false));
    return new TreeSet<>(order.subList(0, MOST_WATCHED));
  }

  /** Advances the time; called once a heartbeat interval. */
  void tick(long nowNs) {
    long lateNs = ticked ? nowNs - tickedNs - 2 * intervalNs : 0;
    ticked = true;
    tickedNs = nowNs;
    if (lateNs > 0) {
      // this node was stalled: what arrived meanwhile is still to be read
      excuse(lateNs + 2 * intervalNs);
    }
    ticks++;
    for (String boot : watched()) {
      Peer peer = peer(boot);
      boolean steady = peer.suspected.isEmpty() && (peer.heard || peer.pings < FIRST);
      boolean gone = peer.suspected.equals(Optional.of(VacancyReason.PROCESS_GONE));
      if (steady || ticks % (gone ? RENEWAL : FEWER) == 0) {
        peer.pings++;
        out.add(new Sending(boot, Heartbeat.PING));
      }
      if (peer.heard
          && peer.suspected.isEmpty()
          && nowNs - peer.heardNs >= patienceNs(peer)
          && (!peer.asked || nowNs - peer.askedNs >= silenceNs)) {
        peer.asked = true;
        peer.askedNs = nowNs;
        ask(boot);
      }
    }
    peers.forEach((boot, peer) -> answer(boot, peer, nowNs));
    peers.forEach(
        (boot, peer) ->
            peer.suspected.ifPresent(vacancyReason -> renew(boot, peer, vacancyReason, nowNs)));
  }

  /**
   * Repeats the report of a suspicion that this node found itself, as a report may be lost; one
   * that others reported is dropped if they stop repeating it.
   */
  private void renew(String boot, Peer peer, VacancyReason vacancyReason, long nowNs) {
    if (peer.itself && ticks % RENEWAL == 0) {
      tellAll(boot, new Heartbeat(kind(vacancyReason), boot));
    } else if (!peer.itself && nowNs - peer.suspectedNs > 4 * RENEWAL * intervalNs) {
      peer.suspected = Optional.empty();
      verdicts.add(new Verdict(boot, Optional.empty()));
    }
  }

  private long patienceNs(Peer peer) {
    return silenceNs << peer.falseAlarms;
  }

  private void excuse(long nanos) {
    for (Peer peer : peers.values()) {
      peer.heardNs = Math.min(tickedNs, peer.heardNs + nanos);
      peer.askers.replaceAll((asker, sinceNs) -> sinceNs + nanos);
    }
  }

  /**
   * Asks the nodes that were heard last, and are not suspected themselves, whether they hear the
   * silent one.
   */
  private void ask(String boot) {
    members.stream()
        .filter(other -> isOther(other) && !other.equals(boot))
        .filter(other -> peer(other).suspected.isEmpty())
        .sorted((one, other) -> Long.compare(peer(other).heardNs, peer(one).heardNs))
        .limit(MOST_ASKED)
        .forEach(other -> out.add(new Sending(other, new Heartbeat(Kind.DOUBT, boot))));
  }

  /** Answers nodes that asked about this one, after it has had two heartbeats' time to be heard. */
  private void answer(String boot, Peer peer, long nowNs) {
    for (Map.Entry<String, Long> asker : Map.copyOf(peer.askers).entrySet()) {
      long sinceNs = asker.getValue();
      if (peer.heard && peer.heardNs - sinceNs >= 0) {
        out.add(new Sending(asker.getKey(), new Heartbeat(Kind.ALIVE, boot)));
      } else if (nowNs - sinceNs >= 2 * intervalNs) {
        out.add(new Sending(asker.getKey(), new Heartbeat(Kind.SILENT, boot)));
      } else {
        continue;
      }
      peer.askers.remove(asker.getKey());
    }
  }

  /** Processes a heartbeat from another node. */
  void came(String from, Heartbeat heartbeat, long nowNs) {
    if (!isOther(from)) {
      return;
    }
    if (!peer(from).heard) {
      tellSuspects(from);
    }
    heard(from, nowNs, true);
    switch (heartbeat.kind()) {
      case PING -> out.add(new Sending(from, Heartbeat.PONG));
      case PONG -> {}
      case DOUBT -> doubted(from, heartbeat.boot(), nowNs);
      case ALIVE -> {
        if (isOther(heartbeat.boot())) {
          heard(heartbeat.boot(), nowNs, false);
        }
      }
      case SILENT -> confirmed(heartbeat.boot(), nowNs);
      case REFUSED -> reported(from, heartbeat.boot(), VacancyReason.PROCESS_GONE, nowNs);
      case GONE -> reported(from, heartbeat.boot(), VacancyReason.SILENT, nowNs);
    }
  }

  /**
   * Records that a node was heard.
   *
   * @param here whether this node heard it itself, not by another's report
   */
  private void heard(String boot, long nowNs, boolean here) {
    Peer peer = peer(boot);
    peer.heardNs = nowNs;
    peer.heard |= here;
    boolean late =
        peer.suspected
                .filter(vacancyReason -> vacancyReason == VacancyReason.PROCESS_GONE)
                .isPresent()
            && nowNs - peer.suspectedNs < silenceNs; // may have been under way
    if (peer.suspected.isPresent() && !late) {
      peer.suspected = Optional.empty();
      peer.falseAlarms = Math.min(MOST_DOUBLINGS, peer.falseAlarms + 1);
      verdicts.add(new Verdict(boot, Optional.empty()));
      if (here) {
        tellAll(boot, new Heartbeat(Kind.ALIVE, boot));
      }
    }
  }

  private void doubted(String asker, String boot, long nowNs) {
    if (boot.equals(self)) {
      return; // the answer to the heartbeat is the reply
    } else if (!isOther(boot)) {
      out.add(new Sending(asker, new Heartbeat(Kind.SILENT, boot)));
    } else {
      peer(boot).askers.put(asker, nowNs);
      out.add(new Sending(boot, Heartbeat.PING));
    }
  }

  /** Suspects a silent node when another confirms that it does not hear it either. */
  private void confirmed(String boot, long nowNs) {
    if (isOther(boot) && peer(boot).heard && nowNs - peer(boot).heardNs >= patienceNs(peer(boot))) {
      gone(boot, VacancyReason.SILENT, nowNs);
    }
  }

  /** Processes another node's suspicion: it is believed unless the node was heard here just now. */
  private void reported(String from, String boot, VacancyReason vacancyReason, long nowNs) {
    if (!isOther(boot)) {
      return;
    }
    Peer peer = peer(boot);
    if (vacancyReason
        == VacancyReason
            .PROCESS_GONE) { // this node's own heartbeat will show whether it is refused, too
      peer.accused = true;
      peer.accusedNs = nowNs;
      out.add(new Sending(boot, Heartbeat.PING));
      return;
    }
    boolean justHeard = peer.heard && nowNs - peer.heardNs < 2 * intervalNs;
    if (justHeard) {
      out.add(new Sending(from, new Heartbeat(Kind.ALIVE, boot)));
    } else if (!suspect(boot, vacancyReason, false, nowNs) && !peer.itself) {
      peer.suspectedNs = nowNs; // the reporter still suspects it
    }
  }

  /**
   * Processes a refused connection: the process of the node is gone. After a false alarm, or for a
   * node that never answered, a refusal alone is not enough, as only this node may be refused.
   */
  void refused(String boot, long nowNs) {
    if (!isOther(boot)) {
      return;
    }
    Peer peer = peer(boot);
    boolean accused = peer.accused && nowNs - peer.accusedNs < silenceNs;
    boolean trusted = peer.falseAlarms > 0 && peer.heard && nowNs - peer.heardNs < patienceNs(peer);
    if ((peer.heard || accused) && !trusted) {
      gone(boot, VacancyReason.PROCESS_GONE, nowNs);
    }
  }

  private void gone(String boot, VacancyReason vacancyReason, long nowNs) {
    if (suspect(boot, vacancyReason, true, nowNs)) {
      tellAll(boot, new Heartbeat(kind(vacancyReason), boot));
    }
  }

  private boolean suspect(String boot, VacancyReason vacancyReason, boolean itself, long nowNs) {
    Peer peer = peer(boot);
    if (peer.suspected.isPresent()) {
      return false;
    }
    peer.suspected = Optional.of(vacancyReason);
    peer.itself = itself;
    peer.suspectedNs = nowNs;
    verdicts.add(new Verdict(boot, Optional.of(vacancyReason)));
    return true;
  }

  /**
   * Reports the current suspicions to a new member, which has not heard those nodes and will not.
   */
  private void tellSuspects(String newcomer) {
    peers.forEach(
        (boot, peer) ->
            peer.suspected.ifPresent(
                vacancyReason -> {
                  if (!boot.equals(newcomer)) {
                    out.add(new Sending(newcomer, new Heartbeat(kind(vacancyReason), boot)));
                  }
                }));
  }

  private static Kind kind(VacancyReason vacancyReason) {
    return vacancyReason == VacancyReason.PROCESS_GONE ? Kind.REFUSED : Kind.GONE;
  }

  private void tellAll(String about, Heartbeat heartbeat) {
    members.stream()
        .filter(other -> isOther(other) && !other.equals(about))
        .forEach(other -> out.add(new Sending(other, heartbeat)));
  }

  /** Returns the boot ids of the members that are suspected now. */
  Set<String> suspects() {
    return peers.entrySet().stream()
        .filter(each -> each.getValue().suspected.isPresent())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns when a node, live or gone by now, was heard last, in nanoseconds of this node's clock;
   * empty if never.
   */
  Optional<Long> heardNanos(String boot) {
    return Optional.ofNullable(peers.get(boot))
        .filter(peer -> peer.heard)
        .map(peer -> peer.heardNs)
        .or(() -> Optional.ofNullable(departed.get(boot)));
  }

  /** Removes and returns the heartbeats to send. */
  List<Sending> takeOut() {
    List<Sending> taken = List.copyOf(out);
    out.clear();
    return taken;
  }

  /** Removes and returns the changes of suspicions since the last call. */
  List<Verdict> takeVerdicts() {
    List<Verdict> taken = List.copyOf(verdicts);
    verdicts.clear();
    return taken;
  }
}
