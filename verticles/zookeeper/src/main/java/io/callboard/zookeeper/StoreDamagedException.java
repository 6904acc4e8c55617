package io.callboard.zookeeper;

import io.callboard.zookeeper.internal.server.TxnLogScan;
import java.io.IOException;
import java.nio.file.Path;

/** Files of an embedded server that exist and cannot be read. */
public final class StoreDamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreDamagedException(Path directory, TxnLogScan damaged) {
    super(
        "the data in %s cannot be read by ZooKeeper: %s of %s, and %d intact ones behind it would be lost"
            .formatted(
                directory,
                damaged.damage().orElse(""),
                damaged.file().getFileName(),
                damaged.behind()));
  }

  StoreDamagedException(Path directory, Exception cause) {
    super(
        "the data in %s cannot be read by ZooKeeper: %s".formatted(directory, cause.getMessage()),
        cause);
  }
}
