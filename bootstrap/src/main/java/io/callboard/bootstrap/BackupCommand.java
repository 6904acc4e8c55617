package io.callboard.bootstrap;

import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.DataOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.node.internal.data.FileFailure;
import io.callboard.zookeeper.StoreBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command that copies the cell of an embedded server into a file; its node may run meanwhile. */
@Command(
    sortOptions = false,
    description =
        "Backs up the cell of a node with an embedded ZooKeeper, on the node's machine; the node may be running. The backup holds everything that was acknowledged before it began; it does not hold the archive's database or the logs of jobs.",
    footer = {"", "Restore it with: callboard restore FILE"})
final class BackupCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "ZIP file to write; must not exist.")
  Path file = Path.of("");

  @Mixin DataOptions data = new DataOptions();

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Override
  public Integer call() {
    Path store = data.store();
    try {
      long last = StoreBackup.write(store, file.toAbsolutePath());
      console.print(
          "%s: %d bytes, up to transaction 0x%x".formatted(file, file.toFile().length(), last));
      return 0;
    } catch (IOException e) {
      throw StartupFailure.failed("no backup was made: " + FileFailure.reason(e));
    }
  }
}
