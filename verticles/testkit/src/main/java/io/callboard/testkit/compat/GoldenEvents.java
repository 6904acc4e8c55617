package io.callboard.testkit.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.PersistentActor;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.testkit.actor.TestedActor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Test that a persistent actor's old events stay replayable: files in the repository hold them as
 * they were stored, and the test replays them with the present code.
 *
 * <pre>{@code
 * @Test
 * void oldEventsStillReplay() {
 *   GoldenEvents.of(Path.of("src/test/resources/golden/account"), Account::new)
 *       .scenario("a deposit and a withdrawal", account -> {
 *         account.tell(new Deposit(500));
 *         account.tell(new Withdraw(200));
 *       })
 *       .check();
 * }
 * }</pre>
 *
 * <p>Each scenario is played by a {@link TestedActor}; its events must be those of a file, or the
 * test fails until it was run with {@code -Dcallboard.golden=update}, which writes a new file and
 * leaves those of before. So a change of an event leads to a second file, and the first still has
 * to replay. Of every file in the directory, however old:
 *
 * <ul>
 *   <li>all events replay, through the upcasters, and lead to the state that the file tells; an
 *       update writes what they lead to now, for whoever reviews the change;
 *   <li>the snapshot that was stored then is read, and is that same state.
 * </ul>
 *
 * <p>Every event type of today must be in one of the files. {@link ProtocolLock} sees what a change
 * does to the form of an event; this sees what it does to its meaning.
 */
public final class GoldenEvents<M> {
  /** System property that, with the value {@code update}, lets {@link #check} write files. */
  public static final String PROPERTY = "callboard.golden";

  private static final String SUFFIX = ".golden";

  private final Path directory;
  private final Supplier<? extends PersistentActor<M, ?, ?>> factory;
  private final Map<String, Consumer<TestedActor<M>>> scenarios = new LinkedHashMap<>();

  private GoldenEvents(Path directory, Supplier<? extends PersistentActor<M, ?, ?>> factory) {
    this.directory = directory;
    this.factory = factory;
  }

  /**
   * Creates the test.
   *
   * @param directory directory of the actor's files, relative to the module, where Maven runs its
   *     tests
   */
  public static <M> GoldenEvents<M> of(
      Path directory, Supplier<? extends PersistentActor<M, ?, ?>> factory) {
    return new GoldenEvents<>(directory, factory);
  }

  /**
   * Adds a scenario.
   *
   * @param name name, unique for the actor, also of its files
   * @param play makes the actor write events; the same ones each time
   */
  @CanIgnoreReturnValue
  public GoldenEvents<M> scenario(String name, Consumer<TestedActor<M>> play) {
    if (scenarios.putIfAbsent(name, play) != null) {
      throw new IllegalArgumentException("there are two scenarios \"%s\"".formatted(name));
    }
    return this;
  }

  /**
   * Checks all files.
   *
   * @throws AssertionError if a stored event cannot be replayed, or leads to another state, or a
   *     current event is in no file; says how to correct that
   */
  public void check() {
    check("update".equals(System.getProperty(PROPERTY)));
  }

  void check(boolean update) {
    try {
      SortedMap<Path, GoldenFile> files = files();
      for (Map.Entry<String, Consumer<TestedActor<M>>> scenario : scenarios.entrySet()) {
        GoldenFile now = play(scenario.getKey(), scenario.getValue());
        if (files.values().stream().noneMatch(file -> file.hasEventsOf(now))) {
          files.put(add(now, update), now);
        }
      }
      for (Map.Entry<Path, GoldenFile> file : files.entrySet()) {
        check(file.getKey(), file.getValue(), update);
      }
      checkTypes(files);
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be read or written", e);
    }
  }

  private SortedMap<Path, GoldenFile> files() throws IOException {
    SortedMap<Path, GoldenFile> files = new TreeMap<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> all = Files.list(directory)) {
        for (Path path : all.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
          files.put(path, GoldenFile.read(path.toString(), Files.readString(path)));
        }
      }
    }
    return files;
  }

  private GoldenFile play(String name, Consumer<TestedActor<M>> scenario) {
    TestedActor<M> actor = TestedActor.<M>of(this::make).start();
    scenario.accept(actor);
    JsonNode state = GoldenFile.state(actor.state(Object.class));
    return new GoldenFile(name, actor.entries(), state, state);
  }

  private Actor<M> make() {
    return factory.get();
  }

  private Path add(GoldenFile now, boolean update) throws IOException {
    String name = now.scenario().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    int number = 1;
    while (Files.exists(directory.resolve(name + "-" + number + SUFFIX))) {
      number++;
    }
    Path file = directory.resolve(name + "-" + number + SUFFIX);
    if (!update) {
      throw new AssertionError(
          "the events of scenario \"%s\" are in no golden file: if they are intended, run this test with -D%s=update and commit %s"
              .formatted(now.scenario(), PROPERTY, file));
    }
    Files.createDirectories(directory);
    Files.writeString(file, now.write());
    return file;
  }

  private void check(Path path, GoldenFile file, boolean update) throws IOException {
    JsonNode replayed = GoldenFile.state(replay(path, file));
    JsonNode stored = GoldenFile.state(snapshot(path, file));
    if (!stored.equals(replayed)) {
      throw new AssertionError(
          "the events of %s lead to %s, but the snapshot stored then leads to %s: an actor's state would depend on whether it had a snapshot"
              .formatted(path, replayed, stored));
    } else if (replayed.equals(file.state())) {
      return;
    } else if (!update) {
      throw new AssertionError(
          "the events of %s now lead to %s, before to %s: if that is intended, run this test with -D%s=update and commit the file"
              .formatted(path, replayed, file.state(), PROPERTY));
    }
    Files.writeString(path, file.with(replayed).write());
  }

  private Object replay(Path path, GoldenFile file) {
    try {
      TestedActor<M> actor = TestedActor.<M>of(this::make).entries(file.entries()).once().start();
      return Objects.requireNonNull(
          actor.restored(), "the start of an actor does not complete: it waits for something");
    } catch (RuntimeException | AssertionError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new AssertionError(
          "%s cannot be replayed any more: %s".formatted(path, cause.getMessage()), cause);
    }
  }

  private Object snapshot(Path path, GoldenFile file) {
    MessageType type =
        new MessageType(
            file.snapshot().path("type").asText(), file.snapshot().path("version").asInt());
    try {
      return ProtocolCodec.of(factory.get().stateType())
          .decode("state", type, file.snapshot().path("state"));
    } catch (RuntimeException e) {
      throw new AssertionError(
          "the snapshot of %s cannot be read any more: %s".formatted(path, e.getMessage()), e);
    }
  }

  private void checkTypes(SortedMap<Path, GoldenFile> files) {
    List<String> all = files.values().stream().flatMap(file -> file.entries().stream()).toList();
    for (Class<?> type : ProtocolCodec.of(factory.get().eventType()).types()) {
      MessageType named = MessageType.of(type);
      String written = "{\"t\":\"%s\",\"v\":%d,".formatted(named.name(), named.version());
      if (all.stream().noneMatch(entry -> entry.contains(written))) {
        throw new AssertionError(
            "no golden file of %s holds event \"%s\" version %d: add a scenario that writes it"
                .formatted(directory, named.name(), named.version()));
      }
    }
  }
}
