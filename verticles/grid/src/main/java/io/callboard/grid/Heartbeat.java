package io.callboard.grid;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What detectors tell each other.
 *
 * @param boot whom it is about; empty for one that is about nobody else
 */
record Heartbeat(Kind kind, String boot) {
  /** The topic of the signals that carry it. */
  static final String TOPIC = "pulse";

  static final Heartbeat PING = new Heartbeat(Kind.PING, "");
  static final Heartbeat PONG = new Heartbeat(Kind.PONG, "");

  private static final Pattern BOOT = Pattern.compile("[A-Za-z0-9-]{0,64}");

  /** What it says. */
  enum Kind {
    /** Are you there? */
    PING('p'),
    /** The answer. */
    PONG('a'),
    /** Do you hear that node? */
    DOUBT('d'),
    /** No, neither do I. */
    SILENT('s'),
    /** Yes: that node has just been heard. */
    ALIVE('l'),
    /** That node's host refuses connections to it. */
    REFUSED('r'),
    /** Nobody who was asked hears that node. */
    GONE('g');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }
  }

  byte[] encode() {
    return (kind.letter + boot).getBytes(StandardCharsets.US_ASCII);
  }

  /** Empty if it is none that this version knows. */
  static Optional<Heartbeat> decode(byte[] body) {
    String text = new String(body, StandardCharsets.US_ASCII);
    if (text.isEmpty() || !BOOT.matcher(text.substring(1)).matches()) {
      return Optional.empty();
    }
    for (Kind kind : Kind.values()) {
      if (kind.letter == text.charAt(0)) {
        return Optional.of(new Heartbeat(kind, text.substring(1)));
      }
    }
    return Optional.empty();
  }
}
