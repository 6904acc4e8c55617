package io.callboard.bootstrap;

import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.DataOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.node.internal.data.FileFailure;
import io.callboard.zookeeper.StoreBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Command that puts a backup of {@link BackupCommand} into the data directory of a stopped node.
 */
@Command(
    sortOptions = false,
    description =
        "Replaces the cell in a data directory by a backup. All nodes of the cell must be stopped. The replaced store is kept in zookeeper.before; everything that happened after the backup is lost.")
final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "File written by callboard backup.")
  Path file = Path.of("");

  @Mixin DataOptions options = new DataOptions();

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws IOException {
    try (DataDirectory data = DataDirectory.open(options.data)) {
      Path store = data.path().resolve(DataDirectory.ZOOKEEPER);
      long last = StoreBackup.restore(file.toAbsolutePath(), store);
      data.zookeeperReached(last);
      console.print(
          "%s: restored up to transaction 0x%x; start the node".formatted(data.path(), last));
      return 0;
    } catch (IOException e) {
      throw StartupFailure.failed("nothing was restored: " + FileFailure.reason(e));
    }
  }
}
