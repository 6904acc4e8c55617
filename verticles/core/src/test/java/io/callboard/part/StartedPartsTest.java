package io.callboard.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartedPartsTest {
  private final List<String> did = new ArrayList<>();
  private final PlayedPart<String> jobs = PlayedPart.of("jobs", String.class, "j", did);
  private final PlayedPart<Integer> flows =
      PlayedPart.of("workflows", Integer.class, 1, did)
          .needing(PartNeed.of(String.class, "add jobs"));
  private final StartedParts parts = StartedParts.of(callboard(), Path.of("data"), "home");

  /** A Callboard that has a name, and nothing else. */
  private static Callboard callboard() {
    return (Callboard)
        Proxy.newProxyInstance(
            Callboard.class.getClassLoader(),
            new Class<?>[] {Callboard.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("node");
              return "n1";
            });
  }

  private static Throwable cause(Future<?> failed) {
    assertThat(failed.failed()).isTrue();
    return failed.cause();
  }

  @Test
  void partsStartInOrderAndCloseInReverse() {
    assertThat(parts.startAll(List.of(flows, jobs)).succeeded()).isTrue();
    assertThat(parts.part(String.class)).isEqualTo("j");
    assertThat(parts.find(Integer.class)).contains(1);
    assertThat(parts.parts()).containsExactly("jobs", "workflows");
    assertThat(parts.close().succeeded()).isTrue();
    assertThat(parts.close().succeeded()).as("closes each once").isTrue();
    assertThat(did)
        .containsExactly("start jobs", "start workflows", "close workflows", "close jobs");
  }

  @Test
  void aPartThatFailsClosesThoseBeforeIt() {
    PlayedPart<Integer> failing =
        new PlayedPart<>(
            "workflows", Integer.class, List.of(), () -> Future.failedFuture("no disk"), did);
    assertThat(cause(parts.startAll(List.of(jobs, failing)))).hasMessage("no disk");
    assertThat(did).containsExactly("start jobs", "start workflows", "close jobs");
  }

  @Test
  void aPartThatThrowsFailsItsStart() {
    PlayedPart<Integer> throwing =
        new PlayedPart<>(
            "workflows",
            Integer.class,
            List.of(),
            () -> {
              throw new NoClassDefFoundError("org/example/Client");
            },
            did);
    assertThat(cause(parts.start(throwing))).hasMessage("org/example/Client");
    assertThat(parts.find(Integer.class)).isEmpty();
  }

  @Test
  void aPartIsClosedThatWasGivenUpBeforeItHadStarted() {
    Promise<String> late = Promise.promise();
    PlayedPart<String> slow = new PlayedPart<>("slow", String.class, List.of(), late::future, did);
    Future<String> starting = parts.start(slow);
    assertThat(parts.close().succeeded()).isTrue();
    late.complete("late");
    assertThat(cause(starting)).hasMessage("slow was closed while it started");
    assertThat(did).containsExactly("start slow", "close slow");
    assertThat(parts.find(String.class)).isEmpty();
  }

  @Test
  void aPartWhoseSettingsCannotBeToldIsNotStarted() {
    NodePart<String> broken =
        new NodePart<>() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Class<String> type() {
            return String.class;
          }

          @Override
          public Map<String, String> settings() {
            throw new IllegalStateException("no settings");
          }

          @Override
          public Future<String> start(RunningNode node) {
            did.add("start broken");
            return Future.succeededFuture("b");
          }
        };
    assertThat(cause(parts.start(broken))).hasMessage("no settings");
    assertThat(did).isEmpty();
  }

  /** Part that prepares the node, and would miss that. */
  private NodePart<String> preparing() {
    return new NodePart<>() {
      @Override
      public String name() {
        return "archive";
      }

      @Override
      public Class<String> type() {
        return String.class;
      }

      @Override
      public void prepare(NodePreparation node) {
        did.add("prepare archive");
      }

      @Override
      public Future<String> start(RunningNode node) {
        did.add("start archive");
        return Future.succeededFuture("a");
      }
    };
  }

  @Test
  void aPartThatPreparesTheNodeIsRefusedOnceActorsRun() {
    assertThatThrownBy(() -> parts.fits(preparing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("archive: it prepares the node before its actors start");
    assertThat(cause(parts.startAll(List.of(preparing()))))
        .hasMessageStartingWith("archive: it prepares the node");
    assertThat(did).isEmpty();
  }

  @Test
  void aMissingPartIsNamed() {
    assertThatThrownBy(() -> parts.part(String.class))
        .hasMessage("node n1 has no String: add that part to its options");
  }

  @Test
  void onePartOfATypeFits() {
    assertThatThrownBy(() -> parts.fits(flows)).hasMessageContaining("add jobs");
    assertThat(parts.start(jobs).succeeded()).isTrue();
    parts.fits(flows);
    assertThatThrownBy(() -> parts.fits(jobs)).hasMessageContaining("two parts give a String");
    assertThatThrownBy(() -> parts.fits(PlayedPart.of("jobs", Double.class, 1.0, did)))
        .hasMessage("there is a part jobs already: give this one another name");
  }

  /** As a page would not show sources that begin after it. */
  @Test
  void aPartThatOneUsesWhichHasStartedWithoutItIsRefused() {
    PlayedPart<Double> page =
        PlayedPart.of("page", Double.class, 0.5, did).needing(PartNeed.optional(String.class));
    assertThat(parts.start(page).succeeded()).isTrue();
    assertThatThrownBy(() -> parts.fits(jobs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "jobs: page would use it, and has started without it: start page after jobs, or give both to the node with NodeOptions.with");
    parts.fits(PlayedPart.of("numbers", Long.class, 1L, did));
  }
}
