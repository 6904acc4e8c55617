package io.callboard.pollers.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.ManualTime;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Directory of a test and its clients, with a time that is moved by hand. */
abstract class DeliveriesStage {
  @TempDir Path root;
  final ManualTime time = new ManualTime();
  JsonObject settings;

  @BeforeEach
  void settings() {
    settings = new JsonObject().put("path", root.toString()).put("lease", "PT30S");
  }

  /** Client of the directory. */
  final class Client {
    final Spool spool;
    final Deliveries deliveries;

    Client(String name) throws IOException {
      DirectorySettings read = DirectorySettings.of(settings);
      spool = new Spool(read.path(), name, read.lease(), time);
      deliveries = new Deliveries(read, spool, time);
      spool.open();
    }

    List<String> take(int most) throws IOException {
      return deliveries.take(most).stream().map(each -> each.body().toString()).toList();
    }

    SourceMessage one() throws IOException {
      List<SourceMessage> taken = deliveries.take(1);
      assertThat(taken).hasSize(1);
      return taken.get(0);
    }
  }

  void write(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  void atOnce() {
    settings.put("settle", "PT0S");
  }
}
