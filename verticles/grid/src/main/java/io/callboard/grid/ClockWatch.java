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
 * Finds members whose clocks differ from this node's: it asks for their time, and halves the round
 * trip, as NTP does. Nothing is decided by what it finds; it is shown to operators. A machine
 * without I/O. Not thread-safe.
 */
final class ClockWatch {
  /** The topic of the signals that carry its questions and answers. */
  static final String TOPIC = "clock";

  /** From here on, clocks differ. */
  static final long LIMIT_MILLIS = 5_000;

  /** Two measurements in a row must say so. */
  static final int CONFIRMATIONS = 2;

  /** A difference that was told is told again when it has changed by so much. */
  private static final long CHANGE_MILLIS = 5_000;

  private static final Pattern SIGNAL =
      Pattern.compile("1 ([qa]) (-?[0-9]{1,19})(?: (-?[0-9]{1,19}))?");

  private final Map<String, Peer> peers = new HashMap<>();
  private Map<String, String> names = Map.of();

  /** What is sent: a question holds when it was asked, an answer that and the answerer's time. */
  record Sending(String to, byte[] body) {}

  /**
   * What has changed.
   *
   * @param node its name
   * @param aheadMillis how far its clock is ahead of this node's, negative if behind; empty if they
   *     agree again
   */
  record Change(String node, Optional<Long> aheadMillis) {}

  private static final class Peer {
    private int inARow;
    private @Nullable Long reported;
  }

  /**
   * The live members but this node.
   *
   * @param others names by boot id
   */
  void members(Map<String, String> others) {
    names = Map.copyOf(others);
    peers.keySet().retainAll(names.keySet());
  }

  /** Asks those nodes for their time; what was found of others counts no more. */
  List<Sending> ask(Collection<String> boots, long nowNs) {
    peers.keySet().retainAll(boots);
    boots.forEach(boot -> peers.computeIfAbsent(boot, b -> new Peer()));
    List<Sending> questions = new ArrayList<>();
    for (String boot : boots) {
      questions.add(new Sending(boot, bytes("1 q " + nowNs)));
    }
    return questions;
  }

  /** The answer to a question; empty if {@code body} is none. */
  Optional<Sending> answer(String from, byte[] body, long nowMillis) {
    return read(body)
        .filter(signal -> signal.group(1).equals("q"))
        .map(signal -> new Sending(from, bytes("1 a " + signal.group(2) + " " + nowMillis)));
  }

  /** An answer has come. */
  Optional<Change> came(String from, byte[] body, long nowNs, long nowMillis) {
    Matcher signal = read(body).orElse(null);
    String name = names.get(from);
    Peer peer = peers.get(from);
    if (signal == null || signal.group(3) == null || name == null || peer == null) {
      return Optional.empty();
    }
    long roundTripNs = nowNs - Long.parseLong(signal.group(2));
    if (roundTripNs < 0 || roundTripNs > 2 * LIMIT_MILLIS * 1_000_000) {
      return Optional.empty(); // of an earlier boot, or too slow to tell
    }
    long half = roundTripNs / 2_000_000;
    long ahead = Long.parseLong(signal.group(3)) - (nowMillis - half);
    return measured(name, peer, ahead, half);
  }

  /**
   * @param error by which the measurement may be wrong, either way
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

  /** The clocks that differ: by the node's name, how many seconds it is ahead. */
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
      // more than a long holds: of no member
    }
    return Optional.empty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
