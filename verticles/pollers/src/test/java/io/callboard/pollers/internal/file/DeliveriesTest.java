package io.callboard.pollers.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what is taken from a directory, with a time that is moved by hand. */
class DeliveriesTest extends DeliveriesStage {
  @ParameterizedTest
  @CsvSource({
    "false,*,'a.json,b.txt'",
    "false,*.json,a.json",
    "true,**,'a.json,b.txt,sub/c.json,sub/deep/d.json'",
    "true,sub/*.json,sub/c.json",
    "true,**.json,'a.json,sub/c.json,sub/deep/d.json'",
  })
  void filesThatMatchAreTaken(boolean recursive, String glob, String expected) throws Exception {
    for (String name :
        List.of("a.json", "b.txt", "sub/c.json", "sub/deep/d.json", ".hidden", ".git/e.json")) {
      write(name, name);
    }
    atOnce();
    settings.put("recursive", recursive).put("glob", glob);
    Client client = new Client("a");
    assertThat(client.take(10)).containsExactlyInAnyOrder(expected.split(","));
    assertThat(client.take(10)).isEmpty();
  }

  @Test
  void linksAreNeitherTakenNorFollowed() throws Exception {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    Path in = Files.createDirectory(root.resolve("in"));
    Files.createSymbolicLink(in.resolve("link"), outside.resolve("secret"));
    Files.createSymbolicLink(in.resolve("directory"), outside);
    Files.writeString(in.resolve("file"), "file");
    atOnce();
    settings.put("path", in.toString()).put("recursive", true);
    assertThat(new Client("a").take(10)).containsExactly("file");
    assertThat(outside.resolve("secret")).hasContent("secret");
  }

  @Test
  void aLinkInThePlaceOfAFileIsSetAside() throws Exception {
    atOnce();
    Client client = new Client("a");
    write("first", "1");
    write("second", "2");
    Files.setLastModifiedTime(root.resolve("second"), FileTime.from(Instant.now().plusSeconds(9)));
    assertThat(client.take(1)).containsExactly("1");
    Files.delete(root.resolve("second"));
    Files.createSymbolicLink(root.resolve("second"), root.resolve(".callboard/format"));
    assertThat(client.take(1)).as("listed before it was a link").isEmpty();
    assertThat(causes()).singleElement().asString().contains("second is no regular file");
  }

  private List<String> causes() throws IOException {
    List<String> causes = new ArrayList<>();
    try (Stream<Path> dead = Files.list(root.resolve(".callboard/dead"))) {
      for (Path each : dead.toList()) {
        causes.add(Files.readString(each.resolve(".cause")));
      }
    }
    return causes;
  }

  @Test
  void aFileThatIsTooLargeIsSetAsideWithItsSize() throws Exception {
    atOnce();
    settings.put("maxSize", 10);
    write("large", "12345678901");
    write("fits", "1234567890");
    assertThat(new Client("a").take(10)).containsExactly("1234567890");
    assertThat(causes())
        .containsExactly(
            "large has 11 bytes; the source takes files up to 10 bytes (setting maxSize)");
  }

  @Test
  void aNewFileOfTheSameNameIsAnotherMessage() throws Exception {
    atOnce();
    Client client = new Client("a");
    write("order", "first");
    SourceMessage first = client.one();
    write("order", "other");
    SourceMessage second = client.one();
    assertThat(second.id()).isNotEqualTo(first.id());
    client.spool.giveBack(first.receipt(), Duration.ZERO, true);
    client.spool.giveBack(second.receipt(), Duration.ZERO, true);
    write("order", "third");
    assertThat(client.take(10)).containsExactlyInAnyOrder("first", "other", "third");
  }

  @Test
  void theIdOfALongPathIsCutBetweenCharacters() throws Exception {
    assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
    atOnce();
    settings.put("recursive", true);
    Client client = new Client("a");
    for (String end : List.of("", "x")) {
      write("😀".repeat(60) + "/" + "😀".repeat(60) + "/" + "😀".repeat(60) + end, "order");
      String id = client.one().id();
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(id)).as(id).isTrue();
    }
  }

  @Test
  void aCompletedFileIsKeptIfAskedFor() throws Exception {
    atOnce();
    settings.put("done", "keep").put("recursive", true);
    Client client = new Client("a");
    write("sub/order", "content");
    SourceMessage message = client.one();
    assertThat(message.headers())
        .containsEntry("name", "order")
        .containsEntry("path", "sub/order")
        .containsEntry("size", "7")
        .containsKey("modified");
    client.spool.complete(message.receipt(), true);
    assertThat(root.resolve(".callboard/done/" + message.receipt() + "/sub/order"))
        .hasContent("content");
    assertThat(root.resolve(".callboard/taken")).isEmptyDirectory();
  }

  @Test
  void aNewerLayoutIsRefused() throws Exception {
    write(".callboard/format", "2\n");
    assertThatThrownBy(() -> new Client("a"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("format 2; this version reads 1");
  }

  /** Clients that take, extend, lose, give back and complete at random: each file ends once. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void eachFileEndsOnce(long seed) throws Exception {
    Random random = new Random(seed);
    atOnce();
    List<Client> clients = List.of(new Client("a"), new Client("b"), new Client("c"));
    List<List<SourceMessage>> held =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    int written = 0;
    Set<String> completed = new HashSet<>();
    for (int step = 0; step < 2000; step++) {
      int which = random.nextInt(3);
      Client client = clients.get(which);
      List<SourceMessage> mine = held.get(which);
      switch (random.nextInt(6)) {
        case 0 -> {
          if (written < 100) {
            write("file" + written, "content" + written);
            written++;
          }
        }
        case 1 -> mine.addAll(client.deliveries.take(1 + random.nextInt(3)));
        case 2 -> time.advance(Duration.ofSeconds(random.nextInt(12)));
        case 3 -> extend(client, mine);
        case 4 -> {
          if (!mine.isEmpty()) {
            SourceMessage any = mine.remove(random.nextInt(mine.size()));
            client.spool.giveBack(any.receipt(), Duration.ofSeconds(random.nextInt(5)), true);
          }
        }
        default -> {
          if (!mine.isEmpty()) {
            complete(client, mine.remove(random.nextInt(mine.size())), completed);
          }
        }
      }
    }
    while (completed.size() < written) {
      time.advance(Duration.ofSeconds(20));
      for (SourceMessage message : clients.get(0).deliveries.take(10)) {
        complete(clients.get(0), message, completed);
      }
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(clients.get(1).take(10)).isEmpty();
    assertThat(written).isEqualTo(100);
  }

  @Test
  void clientsOnThreadsOfTheirOwnShareWithoutDoubles() throws Exception {
    atOnce();
    settings.put("maxSize", 100);
    for (int i = 0; i < 300; i++) {
      write("file" + i, "content" + i);
    }
    List<Callable<List<String>>> clients = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      Client client = new Client(name);
      clients.add(() -> takeAll(client));
    }
    List<String> taken = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      for (var each : threads.invokeAll(clients)) {
        taken.addAll(each.get());
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(taken).hasSize(300).doesNotHaveDuplicates();
    assertThat(root.resolve(".callboard/taken")).isEmptyDirectory();
  }

  private static List<String> takeAll(Client client) throws IOException {
    List<String> all = new ArrayList<>();
    List<SourceMessage> some;
    while (!(some = client.deliveries.take(5)).isEmpty()) {
      for (SourceMessage message : some) {
        all.add(message.body().toString());
        client.spool.complete(message.receipt(), false);
      }
    }
    return all;
  }

  private static void extend(Client client, List<SourceMessage> mine) throws IOException {
    for (SourceMessage message : List.copyOf(mine)) {
      if (!client.spool.extend(message.receipt())) {
        mine.remove(message);
      }
    }
  }

  /** Completes; only who has the file then may do so, which is seen by the place it comes to. */
  private void complete(Client client, SourceMessage message, Set<String> completed)
      throws IOException {
    client.spool.complete(message.receipt(), true);
    Path done = root.resolve(".callboard/done/" + message.receipt());
    if (Files.exists(done)) {
      assertThat(completed.add(message.body().toString())).isTrue();
      Files.move(done, root.resolve(".seen"), StandardCopyOption.ATOMIC_MOVE);
      FileTrees.delete(root.resolve(".seen"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                         | /path   | is missing",
        "{\"path\":\"relative\"}                    | /path   | absolute path",
        "{\"path\":\"/a/../b\"}                     | /path   | \"/b\" is the same without",
        "{\"path\":\"/a\",\"glob\":\"[\"}           | /glob   | pattern as *.json",
        "{\"path\":\"/a\",\"lease\":\"PT4S\"}       | /lease  | from PT5S to PT1H",
        "{\"path\":\"/a\",\"done\":\"burn\"}        | /done   | one of delete, keep",
        "{\"path\":\"/a\",\"maxSize\":0}            | /maxSize | from 1 to 67,108,864",
        "{\"path\":\"/a\",\"emitTo\":\"b\"}         | /emitTo | absolute path",
        "{\"path\":\"/a\",\"user\":\"b\"}           | /user   | unknown",
      })
  void refusesWrongSettings(String json, String pointer, String message) {
    assertThatThrownBy(() -> new DirectoryKind().check(new JsonObject(json)))
        .isInstanceOfSatisfying(
            SourceSettingException.class,
            e -> assertThat(e.defects()).extracting(FieldDefect::pointer).containsExactly(pointer))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "job-1/out-2,job-1%2Fout-2",
    ".hidden,%2Ehidden",
    "..,%2E.",
    "ä b,%C3%A4%20b",
    "a.json,a.json"
  })
  void emittedFilesAreNamedByIds(String id, String name) {
    assertThat(FileName.of(id)).isEqualTo(name);
  }

  @Test
  void emittedFilesAreNamedByHashesOfLongIds() {
    String one = FileName.of("orders:" + "报".repeat(60));
    assertThat(one).startsWith("sha256-").hasSizeLessThan(200);
    assertThat(FileName.of("orders:" + "报".repeat(61))).isNotEqualTo(one);
  }
}
