package io.callboard.zookeeper;

import java.io.IOException;
import java.nio.file.Path;

/** Files of an embedded server that end before a write that the server had acknowledged. */
public final class StoreBehindException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreBehindException(Path directory, long zxid, long reached) {
    super(
        zxid == 0
            ? "the store in %s is empty, but it held a cell".formatted(directory)
            : "the store in %s ends at transaction 0x%x, but it had reached 0x%x: its newest files are missing or were cut"
                .formatted(directory, zxid, reached));
  }
}
