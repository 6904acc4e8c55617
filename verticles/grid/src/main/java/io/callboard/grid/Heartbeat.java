package io.callboard.grid;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Signal between failure detectors.
 *
 * @param boot boot id of the node that it is about; empty if it is about none but the sender
 */
record Heartbeat(Kind kind, String boot) {
  /** Topic of the signals that carry it. */
  static final String TOPIC = "pulse"; // the name that older nodes know

  static final Heartbeat PING = new Heartbeat(Kind.PING, "");
  static final Heartbeat PONG = new Heartbeat(Kind.PONG, "");

  private static final Pattern BOOT = Pattern.compile("[A-Za-z0-9-]{0,64}");

  /** Kind of heartbeat. */
  enum Kind {
    /** Question whether the receiver is alive. */
    PING('p'),
    /** Answer to {@link #PING}. */
    PONG('a'),
    /** Question whether the receiver hears the named node. */
    DOUBT('d'),
    /** Answer to {@link #DOUBT}: the receiver does not hear the named node either. */
    SILENT('s'),
    /** Report that the named node has just been heard. */
    ALIVE('l'),
    /** Report that the host of the named node refuses connections. */
    REFUSED('r'),
    /** Report that no node that was asked hears the named one. */
    GONE('g');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }
  }

  byte[] encode() {
    return (kind.letter + boot).getBytes(StandardCharsets.US_ASCII);
  }

  /** Parses a heartbeat; empty if this version does not know it. */
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
