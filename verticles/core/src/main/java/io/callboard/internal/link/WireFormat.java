package io.callboard.internal.link;

import io.callboard.store.Limits;

/** Constants of the wire format that writing and reading a frame share. */
final class WireFormat {
  static final int VERSION = 1;
  static final int HELLO = 1;
  static final int WELCOME = 2;
  static final int DATA = 3;
  static final int RESET = 4;
  static final int BYE = 5;
  static final int TAKES_PUSHES = 6;
  static final int SIGNAL = 7;
  static final int BROADCAST = 8;

  /** Limit of the bytes of a frame; a longer one is refused. */
  static final int FRAME_BYTES = Limits.MESSAGE_BYTES + (1 << 20);

  /** Bytes of acknowledgements beyond which a frame takes no messages. */
  static final int ACKNOWLEDGEMENT_BYTES = 64 << 10;

  static final int ACKNOWLEDGEMENTS = 1_024;
  static final int MESSAGES = 4_096;
  static final int BODY_BYTES = Limits.MESSAGE_BYTES;
  static final int STRING_BYTES = 1_024;
  static final int STRINGS = 16_384;

  private WireFormat() {}
}
