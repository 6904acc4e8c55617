package io.callboard.bootstrap;

import io.callboard.zookeeper.StoreBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the cell of an embedded server into a file; its node may run meanwhile. */
@Command(
    sortOptions = false,
    description =
        "Backs up the cell of a node with an embedded ZooKeeper, on its machine; the node may run"
            + " meanwhile. What is acknowledged when this begins is in the file. Not in it: the"
            + " archive's database, and the logs of jobs.",
    footer = {"", "Put it back with: callboard restore FILE"})
final class BackupCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to write, a ZIP; must not be there.")
  Path file = Path.of("");

  @Mixin DataOptions data = new DataOptions();

  @Mixin ConfOptions conf = new ConfOptions();

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    Path store = data.store();
    try {
      long last = StoreBackup.write(store, file.toAbsolutePath());
      spec.commandLine()
          .getOut()
          .println(
              "%s: %d bytes, up to transaction 0x%x".formatted(file, file.toFile().length(), last));
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      throw Refusal.failed("no backup was made: " + Refusal.reason(e));
    }
  }
}
