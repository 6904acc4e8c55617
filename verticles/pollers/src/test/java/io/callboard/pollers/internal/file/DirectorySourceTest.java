package io.callboard.pollers.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.testkit.Futures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conformance of the source on a directory. */
class DirectorySourceTest extends SourceContract {
  @TempDir Path cell;
  private Path root;
  private int files;

  @Override
  protected void makeQueue(String name) throws IOException {
    root = Files.createDirectory(cell.resolve(name));
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("directory");
  }

  @Override
  protected Source newSource(Duration lease) {
    DirectoryKind kind = new DirectoryKind();
    JsonObject settings =
        new JsonObject()
            .put("path", root.toString())
            .put("settle", "PT0S")
            .put("lease", lease.toString())
            .put("emitTo", cell.toString());
    kind.check(settings);
    return kind.create(PlayedMemory.context(vertx(), queue(), settings));
  }

  @Override
  protected void put(List<Buffer> bodies) throws IOException {
    for (Buffer body : bodies) {
      files++;
      Path unfinished = root.resolve(".unfinished");
      Files.write(unfinished, body.getBytes());
      Files.move(unfinished, root.resolve("file %d.txt".formatted(files)));
    }
  }

  @Override
  protected List<Aside> aside() throws IOException {
    List<Aside> aside = new ArrayList<>();
    for (Path each : list(root.resolve(".callboard/dead"))) {
      Path file = FileTrees.fileIn(each).orElseThrow();
      aside.add(
          new Aside(
              Buffer.buffer(Files.readAllBytes(file)), Files.readString(each.resolve(".cause"))));
    }
    return aside;
  }

  @Override
  protected void refuseAside() throws IOException {
    Files.delete(root.resolve(".callboard/dead"));
    Files.createFile(root.resolve(".callboard/dead"));
  }

  @Override
  protected void acceptAside() throws IOException {
    Files.delete(root.resolve(".callboard/dead"));
    Files.createDirectory(root.resolve(".callboard/dead"));
  }

  @Override
  protected List<EmittedMessage> emitted(String target) throws IOException {
    List<EmittedMessage> emitted = new ArrayList<>();
    for (Path file : list(cell.resolve(target))) {
      String id = URLDecoder.decode(file.getFileName().toString(), StandardCharsets.UTF_8);
      emitted.add(new EmittedMessage(id, Buffer.buffer(Files.readAllBytes(file)), Map.of()));
    }
    return emitted;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.sorted().toList();
    }
  }

  @Override
  protected Set<Lack> lacks() {
    return Set.of(Lack.HEADERS);
  }

  @Test
  void aMessageThatNoFileCanHoldIsRefused() throws Exception {
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    String longId = "orders:" + "x".repeat(500);
    Futures.await(source.emit(target(), new EmittedMessage(longId, Buffer.buffer("m"), Map.of())));
    assertThat(emitted(target())).hasSize(1);
    for (String target : List.of("../../elsewhere", "a\u0000b")) {
      EmittedMessage message = new EmittedMessage("1", Buffer.buffer("m"), Map.of());
      assertThatThrownBy(() -> Futures.await(source.emit(target, message)))
          .isInstanceOf(EmissionRefusedException.class);
    }
    Futures.await(source.close());
  }

  @Override
  protected void away() throws IOException {
    Files.move(root, root.resolveSibling("away"));
  }

  @Override
  protected void back() throws IOException {
    Files.move(root.resolveSibling("away"), root);
  }
}
