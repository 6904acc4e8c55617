package io.callboard.pollers.source;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Bodies of messages that are hard to carry. */
public final class HostileBodies {
  private static final int LARGE = 100 * 1024;

  /** Texts of XML 1.0 that are not empty. */
  public static final List<Buffer> TEXTS =
      List.of(
          Buffer.buffer("{\"a\":\"<&>'\\\"]]>\"}"),
          Buffer.buffer("  lines \n and\ttabs, and blanks at the end  "),
          Buffer.buffer("umlauts äöü, 漢字, \uD83D\uDE00"),
          Buffer.buffer("' or 1=1; -- ${x} %s {0} \\"),
          Buffer.buffer("x".repeat(LARGE)));

  /** All of them: texts, none, binary ones and such that are no UTF-8. */
  public static final List<Buffer> ALL = all();

  private HostileBodies() {}

  private static List<Buffer> all() {
    byte[] random = new byte[LARGE];
    new Random(27).nextBytes(random);
    byte[] each = new byte[256];
    for (int i = 0; i < each.length; i++) {
      each[i] = (byte) i;
    }
    List<Buffer> more =
        List.of(
            Buffer.buffer(),
            Buffer.buffer(new byte[] {0}),
            Buffer.buffer(new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xff, (byte) 0xfe}),
            Buffer.buffer("line\r\n\r\nline\u0000\n"),
            Buffer.buffer(each),
            Buffer.buffer(random));
    return Stream.concat(TEXTS.stream(), more.stream()).toList();
  }
}
