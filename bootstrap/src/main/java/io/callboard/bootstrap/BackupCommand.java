package io.callboard.bootstrap;

import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.data.DataOptions;
import io.callboard.zookeeper.StoreBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies the cell of an embedded server into a file; its node may run meanwhile. */
@Command(
    sortOptions = false,
    description =
        "Backs up the cell of a node with an embedded ZooKeeper, on its machine; the node may run"
            + " meanwhile. What is acknowledged when this begins is in the file. Not in it: the"
            + " archive's database, and the logs of jobs.",
    footer = {"", "Put it back with: callboard restore FILE"})
final class BackupCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The file to write, a ZIP; must not be there.")
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
      throw StartupFailure.failed("no backup was made: " + StartupFailure.reason(e));
    }
  }
}
