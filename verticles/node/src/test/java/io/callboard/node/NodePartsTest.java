package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.grid.Grid;
import io.callboard.node.NodeStartException.Reason;
import io.callboard.part.NodePart;
import io.callboard.part.NodePreparation;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.testkit.LogCapture;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import java.net.BindException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Parts of an application's node, in memory. */
class NodePartsTest {
  /** Product of the part of the test. */
  private record Printer(String node) {}

  /** A part of an application's own. */
  private class PrinterPart implements NodePart<Printer> {
    @Override
    public String name() {
      return "printer";
    }

    @Override
    public Class<Printer> type() {
      return Printer.class;
    }

    @Override
    public List<PartNeed> needs() {
      return List.of(PartNeed.of(Grid.class, "leave NodeOptions.grid true"));
    }

    @Override
    public Map<String, String> settings() {
      return Map.of("paper", "A4");
    }

    @Override
    public void check() throws Exception {
      did.add("check");
    }

    @Override
    public Future<Printer> start(RunningNode node) {
      did.add("start " + node.part(Grid.class).getClass().getSimpleName());
      return Future.succeededFuture(new Printer(node.callboard().node()));
    }

    @Override
    public Future<?> close(Printer printer, RunningNode node) {
      did.add("close " + printer.node() + " " + node.isStoreLost());
      return Future.succeededFuture();
    }
  }

  /** A part that prepares the node. */
  private class PreparingPart extends PrinterPart {
    @Override
    public void prepare(NodePreparation node) {
      did.add("prepare " + node.options().name());
      node.zone("ink", ZoneOptions.fixed(2));
    }
  }

  private final List<String> did = new CopyOnWriteArrayList<>();

  private static NodeOptions options() {
    return new NodeOptions().name("m").shutdownHook(false);
  }

  @Test
  void aPartLivesWithItsNode() {
    try (CallboardNode node = CallboardNode.start(options().with(new PreparingPart()))) {
      assertThat(node.part(Printer.class)).isEqualTo(new Printer("m"));
      assertThatThrownBy(() -> node.add(new PrinterPart()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("two parts give a Printer, the node and printer (");
      assertThatThrownBy(() -> node.part(String.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("node m has no String: add that part to its options");
    }
    assertThat(did).containsExactly("check", "prepare m", "start Grid", "close m false");
  }

  @Test
  void aPartCanBeAddedToANodeThatRuns() {
    try (CallboardNode node = CallboardNode.start(options())) {
      assertThat(node.add(new PrinterPart())).isEqualTo(node.part(Printer.class));
    }
    assertThat(did).containsExactly("check", "start Grid", "close m false");
  }

  @Test
  void aPartThatPreparesTheNodeIsRefusedByOneThatRuns() {
    try (CallboardNode node = CallboardNode.start(options())) {
      assertThatThrownBy(() -> node.add(new PreparingPart()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "printer: it prepares the node before its actors start, and they run already: give it to the node with NodeOptions.with");
    }
    assertThat(did).isEmpty();
  }

  private static int threads(CallboardNode node, String zone) {
    return node.callboard().admin().zones().stream()
        .filter(each -> each.name().equals(zone))
        .findFirst()
        .orElseThrow()
        .maxSize();
  }

  @Test
  void theZoneOfAPartIsAsTheApplicationConfiguresIt() {
    try (CallboardNode node = CallboardNode.start(options().with(new PreparingPart()))) {
      assertThat(threads(node, "ink")).isEqualTo(2);
    }
    try (CallboardNode node =
        CallboardNode.start(
            options()
                .prepare(its -> its.options().zone("ink", ZoneOptions.fixed(5)))
                .with(new PreparingPart()))) {
      assertThat(threads(node, "ink")).isEqualTo(5);
    }
  }

  @Test
  void aZoneThatThereIsAlreadyIsRefusedWithThePart() {
    NodePart<Printer> wrong =
        new PrinterPart() {
          @Override
          public void prepare(NodePreparation node) {
            node.zone("default", ZoneOptions.fixed(2));
          }
        };
    assertThatThrownBy(() -> CallboardNode.start(options().with(wrong)))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("printer: there is a scheduling zone default already");
  }

  @Test
  void aNeedThatIsMissingIsNamedBeforeAnythingStarts() {
    assertThatThrownBy(() -> CallboardNode.start(options().grid(false).with(new PrinterPart())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("printer: it needs Grid, which this node lacks: leave NodeOptions.grid true");
    assertThat(did).isEmpty();
  }

  @Test
  void aPartThatCannotStartFailsTheStartWithItsNameAndCause() {
    NodePart<Printer> failing =
        new PreparingPart() {
          @Override
          public Future<Printer> start(RunningNode node) {
            return Future.failedFuture(new BindException("port 9100 is in use"));
          }
        };
    try (LogCapture log = LogCapture.of("io.callboard.node")) {
      assertThatThrownBy(() -> CallboardNode.start(options().with(failing)))
          .isInstanceOfSatisfying(
              NodeStartException.class,
              failure -> {
                assertThat(failure.reason()).isEqualTo(Reason.PART);
                assertThat(failure.getCause()).isInstanceOf(BindException.class);
              })
          .hasMessage("node m could not be started: printer: port 9100 is in use");
      log.expect(Level.INFO, "closed: actors");
    }
    assertThat(did).containsExactly("check", "prepare m");
  }

  @Test
  void aPartIsCheckedBeforeAnythingStarts() {
    NodePart<Printer> wrong =
        new PrinterPart() {
          @Override
          public void check() {
            throw new IllegalArgumentException("there is no paper A9: choose A3 to A6");
          }
        };
    assertThatThrownBy(() -> CallboardNode.start(options().with(wrong)))
        .isInstanceOfSatisfying(
            NodeStartException.class,
            failure -> assertThat(failure.reason()).isEqualTo(Reason.PART))
        .hasMessage("printer: there is no paper A9: choose A3 to A6");
    assertThat(did).isEmpty();
  }
}
