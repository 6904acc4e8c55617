package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The disk of a server becomes full; it goes on when there is room again. */
@Tag("long")
@Tag("real")
class DiskFullTest {

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Test
  void aServerWithoutRoomStopsAndGoesOnWhenThereIsSome() throws Exception {
    Path disk = Servers.directory("disk").toAbsolutePath();
    int mounted = run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.toString());
    if (mounted != 0) {
      System.err.println("faults: SKIPPED disk full: this user may not mount a tmpfs");
    }
    Assumptions.assumeTrue(mounted == 0, "this user may not mount a tmpfs");
    try {
      fill(disk);
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  private static void fill(Path disk) throws Exception {
    OneServer server = new OneServer("disk-server", disk.resolve("data"));
    try (FaultRun run = new FaultRun("disk full", server)) {
      run.nodes(2);
      run.play(
          1,
          random -> {
            Path ballast = disk.resolve("ballast");
            fillUp(ballast, disk);
            Eventually.assertThat(() -> assertThat(server.answers()).isFalse());
            server.kill(0);
            Files.delete(ballast);
            server.restart(0);
          });
      run.judge();
    }
  }

  /** Takes all room; what the server preallocated is still its own. */
  private static void fillUp(Path ballast, Path disk) throws IOException {
    byte[] block = new byte[1 << 16];
    try (var out = Files.newOutputStream(ballast)) {
      while (Files.getFileStore(disk).getUsableSpace() > 0) {
        out.write(
            block, 0, (int) Math.min(block.length, Files.getFileStore(disk).getUsableSpace()));
      }
    } catch (IOException e) {
      if (Files.getFileStore(disk).getUsableSpace() > 0) {
        throw e; // else the server has taken the last of it meanwhile
      }
    }
  }
}
