package io.callboard.pollers.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.ManualTime;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are still written or cannot be taken, slow directories, and what crashes leave. */
class TroubledDirectoryTest extends DeliveriesStage {
  @Test
  void aFileThatGrowsIsLeftAloneUntilItHasNotForAWhile() throws Exception {
    settings.put("settle", "PT2S");
    Client client = new Client("a");
    write("big", "one ");
    for (int i = 0; i < 5; i++) {
      assertThat(client.take(1)).isEmpty();
      time.advance(Duration.ofMillis(1999));
      Files.writeString(root.resolve("big"), "more ", StandardOpenOption.APPEND);
    }
    assertThat(client.take(1)).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(client.take(1)).containsExactly("one more more more more more ");
  }

  @Test
  void aFileThatChangesWhileItIsTakenIsGivenBack() throws Exception {
    settings.put("settle", "PT2S");
    Client client = new Client("a");
    write("first", "1");
    write("second", "2");
    assertThat(client.take(1)).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(client.take(1)).hasSize(1);
    Path left = root.resolve(Files.exists(root.resolve("first")) ? "first" : "second");
    Files.writeString(left, "and more", StandardOpenOption.APPEND);
    assertThat(client.take(1)).as("listed before it changed").isEmpty();
    time.advance(Duration.ofSeconds(2));
    SourceMessage whole = client.one();
    assertThat(whole.body().toString()).endsWith("and more");
    assertThat(whole.deliveries()).isEqualTo(1);
  }

  @Test
  void aFileThatIsGivenBackIsNotDeliveredWhileItIsStillWritten() throws Exception {
    settings.put("settle", "PT2S");
    Client client = new Client("a");
    write("first", "1");
    write("second", "2");
    assertThat(client.take(1)).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(client.take(1)).hasSize(1);
    Path left = root.resolve(Files.exists(root.resolve("first")) ? "first" : "second");
    try (OutputStream writer = Files.newOutputStream(left, StandardOpenOption.APPEND)) {
      for (String part : List.of(" two", " three", " four")) {
        writer.write(part.getBytes(StandardCharsets.UTF_8));
        assertThat(client.take(1)).as("it has changed").isEmpty();
        time.advance(Duration.ofSeconds(2));
      }
    }
    SourceMessage whole = client.one();
    assertThat(whole.body().toString()).endsWith(" two three four");
    assertThat(whole.deliveries()).isEqualTo(1);
    client.spool.complete(whole.receipt(), true);
    try (Stream<Path> kept = Files.list(root.resolve(".callboard/done/" + whole.receipt()))) {
      assertThat(kept)
          .containsExactly(
              root.resolve(".callboard/done/" + whole.receipt()).resolve(left.getFileName()));
    }
  }

  @Test
  void aFileWhoseClientHasDiedIsNotDeliveredWhileItIsStillWritten() throws Exception {
    settings.put("settle", "PT2S");
    Client dead = new Client("a");
    Client next = new Client("b");
    write("file", "one");
    try (OutputStream writer =
        Files.newOutputStream(root.resolve("file"), StandardOpenOption.APPEND)) {
      assertThat(dead.take(1)).isEmpty();
      time.advance(Duration.ofSeconds(2));
      assertThat(dead.take(1)).hasSize(1);
      assertThat(next.take(1)).isEmpty();
      time.advance(Duration.ofSeconds(30));
      assertThat(next.take(1)).as("nobody knows whether it was checked").isEmpty();
      writer.write(" two".getBytes(StandardCharsets.UTF_8));
      time.advance(Duration.ofSeconds(2));
      assertThat(next.take(1)).as("it has changed").isEmpty();
    }
    time.advance(Duration.ofSeconds(2));
    assertThat(next.take(1)).containsExactly("one two");
  }

  @Test
  void anotherContentIsAnotherMessageThoughNameSizeAndTimeAreTheSame() throws Exception {
    atOnce();
    Client client = new Client("a");
    FileTime second = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    write("order", "first");
    Files.setLastModifiedTime(root.resolve("order"), second);
    SourceMessage first = client.one();
    write("order", "other");
    Files.setLastModifiedTime(root.resolve("order"), second);
    assertThat(client.one().id()).isNotEqualTo(first.id());
    client.spool.giveBack(first.receipt(), Duration.ZERO, true);
    assertThat(client.one().id()).isEqualTo(first.id());
  }

  /** Makes a file that cannot be taken, because its path would be too long then. */
  private Path untakeable() throws IOException {
    Path directory = root;
    while (directory.toString().length() < 3_860) {
      directory = directory.resolve("d".repeat(200));
    }
    Path file = directory.resolve("f".repeat(4_080 - directory.toString().length()));
    Files.createDirectories(directory);
    Files.writeString(file, "untakeable");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    return file;
  }

  @Test
  void aFileThatCannotBeTakenHoldsNoOther() throws Exception {
    atOnce();
    settings.put("recursive", true);
    Client client = new Client("a");
    Path oldest = untakeable();
    write("one", "one");
    assertThat(client.take(1)).containsExactly("one");
    write("two", "two");
    assertThat(client.take(1)).containsExactly("two");
    assertThat(client.take(1)).as("to fail would give those back").isEmpty();
    assertThat(client.deliveries.trouble().orElseThrow())
        .startsWith("1 files or directories cannot be taken")
        .contains("it cannot be taken, and is left alone for");
    try (Stream<Path> taken = Files.list(root.resolve(".callboard/taken"))) {
      assertThat(taken).as("nothing is left of the attempts").hasSize(2);
    }
    assertThat(oldest).exists();
    Files.delete(oldest);
    assertThat(client.take(1)).isEmpty();
    assertThat(client.deliveries.trouble()).as("it is gone").isEmpty();
  }

  @Test
  void aFileThatCannotBeTakenFailsNoPollAndIsTriedAfterLongerAndLongerPauses() throws Exception {
    atOnce();
    settings.put("recursive", true);
    Client client = new Client("a");
    Path unused = untakeable();
    for (String pause : List.of("PT10S", "PT20S", "PT40S")) {
      assertThat(client.take(1)).isEmpty();
      assertThat(client.deliveries.trouble().orElseThrow()).contains("left alone for " + pause);
      time.advance(Duration.parse(pause));
    }
  }

  @Test
  void aPollFailsIfNoFileCanBeTaken() throws Exception {
    atOnce();
    Client client = new Client("a");
    write("one", "one");
    for (int number = 1; number <= 2; number++) { // whatever it takes next
      TakenName name = new TakenName("a-" + number, 1, Duration.ofSeconds(30), 0);
      Files.createDirectories(client.spool.of(name));
    }
    assertThatThrownBy(() -> client.take(1)).isInstanceOf(IOException.class);
    assertThat(root.resolve("one")).exists();
  }

  /** The paths below are too long for the system, which root cannot read either. */
  @Test
  void aDirectoryWhoseEntriesCannotBeReadIsReportedUntilTheyCan() throws Exception {
    atOnce();
    settings.put("recursive", true);
    Path deepest = untakeable();
    Files.delete(deepest);
    Files.createDirectory(deepest);
    Path directory = root.resolve("d".repeat(200));
    Path longer = root.resolve("e".repeat(255));
    Client client = new Client("a");
    write("good", "good");
    Files.move(directory, longer);
    try {
      assertThat(client.take(10)).containsExactly("good");
      assertThat(client.deliveries.trouble().orElseThrow())
          .startsWith("1 files or directories cannot be taken")
          .contains("not all of it can be read", "File name too long");
    } finally {
      Files.move(longer, directory); // it could not be deleted
    }
    assertThat(client.take(10)).isEmpty();
    assertThat(client.deliveries.trouble()).isEmpty();
  }

  @Test
  void aDirectoryThatTheNodeMayNotReadIsReportedUntilItMay() throws Exception {
    atOnce();
    settings.put("recursive", true);
    write("closed/order", "order");
    Path closed = root.resolve("closed");
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(closed);
    Files.setPosixFilePermissions(closed, Set.of());
    try {
      assumeThat(Files.isReadable(closed)).as("root may read everything").isFalse();
      Client client = new Client("a");
      assertThat(client.take(10)).isEmpty();
      assertThat(client.deliveries.trouble().orElseThrow())
          .contains("closed: not all of it can be read", "AccessDenied", "the user of the node");
      Files.setPosixFilePermissions(closed, all);
      assertThat(client.take(10)).containsExactly("order");
      assertThat(client.deliveries.trouble()).isEmpty();
    } finally {
      Files.setPosixFilePermissions(closed, all);
    }
  }

  @Test
  void directoriesThatAreTooDeepAreReportedUntilTheyAreMoved() throws Exception {
    atOnce();
    settings.put("recursive", true);
    write("d/".repeat(31) + "deepest", "deepest");
    write("d/".repeat(32) + "deeper", "deeper");
    Client client = new Client("a");
    assertThat(client.take(10)).containsExactly("deepest");
    assertThat(client.deliveries.trouble().orElseThrow())
        .startsWith("1 files or directories cannot be taken")
        .contains("d/d: it is 32 levels below", "move it up");
    Files.move(root.resolve("d/".repeat(32)), root.resolve("up"));
    assertThat(client.take(10)).containsExactly("deeper");
    assertThat(client.deliveries.trouble()).isEmpty();
  }

  @Test
  void directoriesBelowAreNoTroubleWhereFilesAreTakenFromTheFirstAlone() throws Exception {
    atOnce();
    write("d/file", "below");
    write("file", "file");
    Client client = new Client("a");
    assertThat(client.take(10)).containsExactly("file");
    assertThat(client.deliveries.trouble()).isEmpty();
  }

  /** Makes a file by the bytes of its path, as printf reads them, for Java may not have them. */
  private void writeBytes(String path, String content) throws Exception {
    String script =
        "f=$(printf \"$1\") && mkdir -p \"$(dirname \"$f\")\" && printf %s \"$2\" > \"$f\"";
    Process shell =
        new ProcessBuilder("sh", "-c", script, "sh", path, content)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
  }

  private static void assumeNamesAreUtf8() {
    assumeThat(System.getProperty("sun.jnu.encoding"))
        .as("the locale of the JVM")
        .isEqualTo("UTF-8");
  }

  @ParameterizedTest
  @CsvSource({"x\\377.json,x\\376.json,x%FF.json", "d\\377/o.json,d\\376/o.json,d%FF/o.json"})
  void filesWhoseNamesCannotBeReadAreLeftInPlaceAndReported(String name, String other, String shown)
      throws Exception {
    assumeNamesAreUtf8();
    atOnce();
    settings.put("recursive", true);
    writeBytes(name, "order");
    writeBytes(other, "order");
    write("good.json", "good");
    Client client = new Client("a");
    assertThat(client.take(10)).as("both would have one id").containsExactly("good");
    assertThat(client.deliveries.trouble().orElseThrow())
        .startsWith("2 files or directories cannot be taken")
        .contains("rename it", "UTF-8 locale")
        .containsAnyOf(shown, shown.replace("FF", "FE"));
  }

  @Test
  void aTakenFileWhoseNameCannotBeReadIsLeftToOtherNodesAndThenSetAside() throws Exception {
    assumeNamesAreUtf8();
    atOnce();
    Client client = new Client("a");
    writeBytes(".callboard/waiting/0.1.b-1/x\\377.json", "order");
    for (int attempt = 2; attempt < 5; attempt++) {
      assertThat(client.take(1)).isEmpty();
      assertThat(client.deliveries.trouble().orElseThrow()).contains("rename it");
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(client.take(1)).isEmpty();
    try (Stream<Path> dead = Files.list(root.resolve(".callboard/dead"))) {
      assertThat(dead.toList())
          .singleElement()
          .satisfies(each -> assertThat(each.resolve(".cause")).content().contains("x%FF.json"));
    }
  }

  @Test
  void aNameThatHasTheReplacementCharacterItselfIsTaken() throws Exception {
    assumeNamesAreUtf8();
    atOnce();
    writeBytes("x\\357\\277\\275.json", "order");
    assertThat(new Client("a").take(1)).containsExactly("order");
  }

  /** Time of a machine that needs long for each step. */
  private record SlowTime(ManualTime of) implements Time {
    @Override
    public Clock clock() {
      return of.clock();
    }

    @Override
    public long nanoTime() {
      of.advance(Duration.ofMillis(20));
      return of.nanoTime();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      return of.after(context, delay, task);
    }
  }

  private Deliveries slow() throws IOException {
    DirectorySettings read = DirectorySettings.of(settings);
    Time slow = new SlowTime(time);
    Spool spool = new Spool(read.path(), "a", read.lease(), slow);
    spool.open();
    return new Deliveries(read, spool, slow);
  }

  /** Takes until that many different files have come. */
  private static void takeAll(Deliveries deliveries, int count) throws IOException {
    Set<String> all = new HashSet<>();
    for (int poll = 0; poll < 200 && all.size() < count; poll++) {
      deliveries.take(100).forEach(each -> all.add(each.body().toString()));
    }
    assertThat(all).hasSize(count);
  }

  @Test
  void aSlowListingComesToItsLastEntriesThoughNothingBeforeThemMatches() throws Exception {
    atOnce();
    settings.put("glob", "*.order").put("lease", "PT1H");
    for (int i = 0; i < 300; i++) {
      write("other" + i, "content");
    }
    for (int i = 0; i < 30; i++) {
      write(i + ".order", "order " + i);
    }
    Deliveries deliveries = slow();
    takeAll(deliveries, 30);
    assertThat(deliveries.waiting()).as("as far as it can be counted").isEmpty();
    deliveries.close();
    assertThat(deliveries.take(1)).isEmpty();
  }

  @Test
  void filesThatASlowListingSawAreKnownToTheNextWalk() throws Exception {
    settings.put("settle", "PT2S").put("lease", "PT1H").put("recursive", true);
    for (int i = 0; i < 300; i++) {
      write("d" + i % 7 + "/e/file" + i, "content " + i);
    }
    takeAll(slow(), 300);
  }

  @Test
  void aPollOfASlowDirectoryEndsInTime() throws Exception {
    atOnce();
    for (int i = 0; i < 300; i++) {
      write("file" + i, "content" + i);
    }
    Deliveries deliveries = slow();
    long began = time.nanoTime();
    assertThat(deliveries.take(300)).hasSizeBetween(1, 200);
    assertThat(Duration.ofNanos(time.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
    assertThat(deliveries.take(300)).isNotEmpty();
  }

  @Test
  void anUnfinishedWritingIsDeleted() throws Exception {
    Path directory = Files.createDirectory(root.resolve("out"));
    Path full = Files.createDirectory(directory.resolve("name"));
    Files.writeString(full.resolve("x"), "so that it cannot be replaced");
    assertThatThrownBy(() -> FileTrees.write(directory, "name", new byte[9], "a-1"))
        .isInstanceOf(IOException.class);
    assertThat(directory.resolve(".a-1.writing")).doesNotExist();
  }

  @Test
  void oldUnfinishedWritingsOfDeadClientsAreDeleted() throws Exception {
    write(".callboard/.a-1.writing", "old");
    write(".callboard/.b-1.writing", "under way");
    FileTime old = FileTime.from(time.clock().instant().minus(Duration.ofHours(2)));
    FileTime now = FileTime.from(time.clock().instant());
    Files.setLastModifiedTime(root.resolve(".callboard/.a-1.writing"), old);
    Files.setLastModifiedTime(root.resolve(".callboard/.b-1.writing"), now);
    new Client("c");
    assertThat(root.resolve(".callboard/.a-1.writing")).doesNotExist();
    assertThat(root.resolve(".callboard/.b-1.writing")).exists();
  }

  @Test
  void aCrashBetweenDirectoryAndFileLeavesNothing() throws Exception {
    atOnce();
    Client client = new Client("b");
    Path left =
        root.resolve(".callboard/taken")
            .resolve(new TakenName("a-1", 1, Duration.ofSeconds(30), 0).toString());
    Files.createDirectories(left);
    assertThat(client.take(1)).isEmpty();
    time.advance(Duration.ofSeconds(30));
    assertThat(client.take(1)).isEmpty();
    assertThat(root.resolve(".callboard/taken")).isEmptyDirectory();
  }

  @Test
  void aCrashBeforeDeletionIsMadeUpForAtTheNextOpen() throws Exception {
    atOnce();
    Client unused = new Client("a");
    write(".callboard/ended/a-7/order", "content");
    Client next = new Client("b");
    assertThat(root.resolve(".callboard/ended")).isEmptyDirectory();
    assertThat(next.take(1)).isEmpty();
  }
}
