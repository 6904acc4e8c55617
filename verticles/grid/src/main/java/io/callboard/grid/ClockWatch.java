package io.callboard.grid;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detector of members whose clocks differ from this node's: it asks each for its time and corrects
 * the answer by half the round trip, as NTP does. The result decides nothing; it is shown to
 * operators. A machine without I/O. Not thread-safe.
 */
final class ClockWatch {
  /** Topic of the signals that carry its questions and answers. */
  static final String TOPIC = "clock";

  /** Difference, in milliseconds, above which clocks are reported as differing. */
  static final long LIMIT_MILLIS = 5_000;

  /**
   * Number of consecutive measurements that must exceed the limit before a difference is reported.
   */
  static final int CONFIRMATIONS = 2;

  /** Change of a reported difference, in milliseconds, from which it is reported again. */
  private static final long CHANGE_MILLIS = 5_000;

  private static final Pattern SIGNAL =
      Pattern.compile("1 ([qa]) (-?[0-9]{1,19})(?: (-?[0-9]{1,19}))?");

  private final Map<String, Peer> peers = new HashMap<>();
  private Map<String, String> names = Map.of();

  /**
   * Signal to send to the node of boot id {@code to}: a question holds the time at which it was
   * asked, an answer repeats that and adds the answering node's time.
   */
  record Sending(String to, byte[] body) {}

  /**
   * Change of a member's reported clock difference.
   *
   * @param node name of the member
   * @param aheadMillis how far its clock is ahead of this node's, negative if behind; empty if they
   *     agree again
   */
  record Change(String node, Optional<Long> aheadMillis) {}

  private static final class Peer {
    private int inARow;
    private @Nullable Long reported;
  }

  /**
   * Replaces the set of live members other than this node.
   *
   * @param others names by boot id
   */
  void members(Map<String, String> others) {
    names = Map.copyOf(others);
    peers.keySet().retainAll(names.keySet());
  }

  /** Returns the questions to send to these nodes and forgets the measurements of all others. */
  List<Sending> ask(Collection<String> boots, long nowNs) {
    peers.keySet().retainAll(boots);
    boots.forEach(boot -> peers.computeIfAbsent(boot, b -> new Peer()));
    List<Sending> questions = new ArrayList<>();
    for (String boot : boots) {
      questions.add(new Sending(boot, bytes("1 q " + nowNs)));
    }
    return questions;
  }

  /** Returns the answer to a question; empty if {@code body} is not a question. */
  Optional<Sending> answer(String from, byte[] body, long nowMillis) {
    return read(body)
        .filter(signal -> signal.group(1).equals("q"))
        .map(signal -> new Sending(from, bytes("1 a " + signal.group(2) + " " + nowMillis)));
  }

  /**
   * Evaluates an answer.
   *
   * @return the change that the answer brings, if any
   */
  Optional<Change> came(String from, byte[] body, long nowNs, long nowMillis) {
    Matcher signal = read(body).orElse(null);
    String name = names.get(from);
    Peer peer = peers.get(from);
    if (signal == null || signal.group(3) == null || name == null || peer == null) {
      return Optional.empty();
    }
    long roundTripNs = nowNs - Long.parseLong(signal.group(2));
    if (roundTripNs < 0 || roundTripNs > 2 * LIMIT_MILLIS * 1_000_000) {
      return Optional.empty(); // an answer to an earlier boot, or too slow to be exact
    }
    long half = roundTripNs / 2_000_000;
    long ahead = Long.parseLong(signal.group(3)) - (nowMillis - half);
    return measured(name, peer, ahead, half);
  }

  /**
   * Evaluates one measurement.
   *
   * @param error possible error of the measurement, in milliseconds, in either direction
   */
  private static Optional<Change> measured(String name, Peer peer, long ahead, long error) {
    boolean differs = Math.abs(ahead) - error > LIMIT_MILLIS;
    peer.inARow = differs ? Math.min(CONFIRMATIONS, peer.inARow + 1) : 0;
    Long reported = peer.reported;
    if (!differs) {
      peer.reported = null;
      return reported == null ? Optional.empty() : Optional.of(new Change(name, Optional.empty()));
    }
    if (peer.inARow < CONFIRMATIONS
        || (reported != null && Math.abs(ahead - reported) < CHANGE_MILLIS)) {
      return Optional.empty();
    }
    peer.reported = ahead;
    return Optional.of(new Change(name, Optional.of(ahead)));
  }

  /** Returns the clocks that differ: seconds ahead of this node's, by name of the node. */
  Map<String, Long> differing() {
    Map<String, Long> found = new TreeMap<>();
    peers.forEach(
        (boot, peer) -> {
          String name = names.get(boot);
          if (peer.reported != null && name != null) {
            found.put(name, Math.round(peer.reported / 1_000.0));
          }
        });
    return found;
  }

  private static Optional<Matcher> read(byte[] body) {
    Matcher signal = SIGNAL.matcher(new String(body, StandardCharsets.US_ASCII));
    try {
      if (signal.matches()) {
        Long unused = Long.parseLong(signal.group(2));
        unused = signal.group(3) == null ? unused : Long.valueOf(signal.group(3));
        return Optional.of(signal);
      }
    } catch (NumberFormatException e) {
      // more digits than a long holds: not sent by a member
    }
    return Optional.empty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
