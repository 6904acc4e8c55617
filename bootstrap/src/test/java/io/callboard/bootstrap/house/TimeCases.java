package io.callboard.bootstrap.house;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cases of time and randomness: they are injected; where they come from is written down here. */
interface TimeCases {
  @Test
  default void noClockButTheInjectedOne() {
    assertOnlyIn(
        Ambient.WALL_CLOCK,
        "bootstrap..", // programs, which have no node yet or none at all
        "testkit..", // waits for what is real
        "time.SystemTime", // the injected one, unless a test gives another
        "store.memory.MemoryCell", // default of a cell that is given no clock
        "zookeeper.ZooKeeperStore", // hands it to its parts: a store is opened before its node
        "dashboard.DashboardOptions"); // default of an option
  }

  @Test
  default void theSystemsTimeIsTheDefaultOfANodeAlone() {
    assertOnlyIn(
        Ambient.SYSTEM_TIME,
        "time.Time", // defines it
        "CallboardOptions", // default
        "archive.Archive", // a database that is not there yet, before a node
        "grid.Grid", // heartbeats and clocks of machines, which a time moved by hand does not move
        // clients of other systems, which a time moved by hand does not move
        "pollers.internal.feed.FeedKind",
        "pollers.internal.file.DirectoryKind",
        "pollers.internal.jdbc.JdbcKind",
        "pollers.internal.kafka.KafkaKind",
        "pollers.internal.rabbitmq.RabbitmqKind",
        "pollers.internal.redis.RedisListKind",
        "pollers.internal.redis.RedisStreamKind",
        "pollers.internal.sqs.SqsKind",
        "internal.node.NodeAssembly", // close limit; a thread of its own if this is the default
        "internal.activation.BypassWatchdog"); // watches what a time moved by hand may not hold up
  }

  @Test
  default void noRandomnessButTheInjectedOne() {
    assertOnlyIn(
        Ambient.RANDOMNESS,
        "testkit..", // ports and names that other tests do not have
        "internal.context.NodeContext", // seed of a node that was given none, and its boot id
        "zookeeper.ZooKeeperStore", // seed of its backoffs
        "dashboard.internal.auth.RandomSecret", // what a seed gives can be guessed
        // ids that must be unique in the world
        "CallboardOptions",
        "archive.ArchiveId",
        "dashboard.internal.contract.Problems",
        "dashboard.internal.rest.SourceApi",
        "examples.bank.Teller",
        "examples.commands..", // programs
        "jobs.internal.files.RunDirectories",
        "node.internal.data.DataDirectory",
        "pollers.internal.feed.FeedKind",
        "pollers.internal.file.DirectoryKind",
        "pollers.internal.jdbc.JdbcKind",
        "pollers.internal.redis.RedisSource",
        "zookeeper.Clustering",
        "zookeeper.internal.layout.CellFormat");
  }

  /** What watches threads, connections, processes and other nodes goes by the system's time. */
  @Test
  default void allThatWaitsGoesByTheTimeOfTheNode() {
    assertOnlyIn(
        Ambient.MONOTONIC_CLOCK,
        "bootstrap..", // programs
        "node..", // start and close of a process
        "examples..", // programs and plain verticles of Vert.x
        "testkit..", // waits for what is real
        "zookeeper..", // sessions
        "pollers.internal.redis..", // leases of other systems
        "internal.zone..", // threads
        "internal.link..", // connections
        "time.SystemTime",
        "jobs.internal.process.ProcessRunner"); // processes
  }

  @Test
  default void allUsesAreSeen() {
    JavaClass samples = new ClassFileImporter().importClass(AmbientSamples.class);
    Map<String, Set<String>> seen =
        samples.getMethods().stream()
            .collect(
                toMap(
                    method -> method.getName(),
                    method -> {
                      Set<String> kinds = new TreeSet<>();
                      method.getAccessesFromSelf().stream()
                          .flatMap(access -> Ambient.kinds(access).stream())
                          .forEach(kind -> kinds.add(kind.name()));
                      return kinds;
                    }));
    assertThat(seen).hasSizeGreaterThan(50);
    seen.forEach((method, kinds) -> assertThat(kinds).as(method).isEqualTo(expected(method)));
  }

  private static Set<String> expected(String method) {
    String kind = method.split("[A-Z]", 2)[0].toUpperCase(Locale.ROOT);
    return Arrays.stream(Ambient.values())
        .map(Ambient::name)
        .filter(name -> name.startsWith(kind))
        .collect(toSet());
  }

  /**
   * Asserts that only these places use it, and that each does.
   *
   * @param places a class, or a package with two dots; without {@code io.callboard}
   */
  private static void assertOnlyIn(Ambient kind, String... places) {
    Set<String> left = new TreeSet<>(List.of(places));
    List<String> others = new ArrayList<>();
    for (JavaClass type : Product.CLASSES) {
      type.getAccessesFromSelf().stream()
          .filter(kind::is)
          .forEach(
              access ->
                  Stream.of(places)
                      .filter(place -> isIn(place, type))
                      .findFirst()
                      .ifPresentOrElse(left::remove, () -> others.add(access.getDescription())));
    }
    assertThat(others).as("uses of %s that are not to be", kind).isEmpty();
    assertThat(left).as("places that no longer use %s", kind).isEmpty();
  }

  private static boolean isIn(String place, JavaClass type) {
    String name = "io.callboard." + place;
    return place.endsWith("..")
        ? (type.getPackageName() + ".").startsWith(name.substring(0, name.length() - 1))
        : type.getName().equals(name) || type.getName().startsWith(name + "$");
  }
}
