package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compressed frames of clients, which are refused: what they become is not limited, see {@link
 * Dashboard#serverOptions}. Whoever offers compression must show here that it is.
 */
@Tag("real")
class LiveCompressionTest {
  private static final int DEFLATED_TEXT = 0xC1;

  @AutoClose private final TestNode node = TestNode.start();

  private static byte[] deflated(int characters) {
    byte[] text = new byte[characters];
    Arrays.fill(text, (byte) ' ');
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(text);
    byte[] small = new byte[characters];
    int length = deflater.deflate(small, 0, small.length, Deflater.SYNC_FLUSH);
    deflater.end();
    return Arrays.copyOf(small, length - 4); // as RFC 7692 says
  }

  @Test
  void compressionIsNotAgreedOnAndACompressedFrameEndsTheConnection() {
    for (String offer :
        new String[] {
          "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
          "permessage-deflate",
          "x-webkit-deflate-frame"
        }) {
      try (RawSocket client =
          new RawSocket(node.front.port(), "Sec-WebSocket-Extensions: " + offer)) {
        assertThat(client.response())
            .startsWith("HTTP/1.1 101 ")
            .doesNotContainIgnoringCase("sec-websocket-extensions");
        client.send("{\"t\":\"hello\"}");
        byte[] bomb = deflated(60_000);
        assertThat(bomb).hasSizeLessThan(126);
        client.send(DEFLATED_TEXT, bomb);
        assertThat(client.readToEnd()).isLessThan(2_000);
      }
    }
  }
}
