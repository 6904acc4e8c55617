package io.callboard.bootstrap;

import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.DataOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.node.internal.data.FileFailure;
import io.callboard.zookeeper.TxnLogRepair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command that looks for damage in the transaction log of a stopped node's embedded server, and
 * cuts it off.
 */
@Command(
    sortOptions = false,
    description =
        "Reports what the damaged transaction log of an embedded ZooKeeper still holds, and what is lost if it is cut before the damage; with --cut, cuts it. What is cut off is kept beside the log. All nodes of the cell must be stopped.",
    footer = {
      "",
      "Exit codes: 0 no damage, or repaired, 1 the command failed, 2 wrong option, 3 damage is left."
    })
final class RepairCommand implements Callable<Integer> {
  /** Exit code if damage was found and is still there. */
  static final int LEFT = 3;

  @Option(names = "--cut", description = "Cuts the log before the damage.")
  boolean cut;

  @Mixin DataOptions options = new DataOptions();

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws IOException {
    try (DataDirectory data = DataDirectory.open(options.data)) {
      Path store = options.store();
      TxnLogRepair repair = TxnLogRepair.plan(store);
      if (!repair.isNeeded()) {
        console.print(
            "%s: every record of the transaction log that a start reads is intact"
                .formatted(store));
        return 0;
      }
      console.print(repair.damage());
      if (!repair.isPossible()) {
        console.print(
            "there is no complete snapshot before the damage with an intact log from there on; restore a backup with callboard restore");
        return LEFT;
      }
      console.print(
          "the last transaction before the damage is 0x%x, of %s; a cut loses everything acknowledged after it: at least %d transactions"
              .formatted(repair.last(), repair.lastAt(), repair.lost()));
      if (!cut) {
        console.print(
            "nothing was changed; cut with --cut, or restore a backup with callboard restore");
        return LEFT;
      }
      Path aside = repair.cut();
      data.zookeeperReached(repair.last());
      console.print("cut; what was cut off is in %s".formatted(aside));
      return 0;
    } catch (IOException e) {
      throw StartupFailure.failed("the store cannot be repaired: " + FileFailure.reason(e));
    }
  }
}
