package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Options that cannot be right are refused with their name, the value, and what would be right. */
@Tag("real")
class NodeOptionsTest {
  private final NodeOptions options = new NodeOptions();

  private static void refused(String message, ThrowingCallable set) {
    assertThatThrownBy(set).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void aWrongValueIsRefused() {
    refused(
        "\"a b\" is not a node name: use up to 63 letters, digits and - _ ., the first a letter or digit",
        () -> options.name("a b"));
    refused(
        "cell: \"a/b\" is not a cell name: use up to 63 letters, digits and - _ ., the first a letter or digit",
        () -> options.cell("a/b"));
    refused(
        "zookeeper: \"nowhere\" is not an ensemble: use HOST:PORT[,HOST:PORT…][/CHROOT]",
        () -> options.zookeeper("nowhere"));
    refused("zookeeperPort is -1: a port is 0 to 65535", () -> options.zookeeperPort(-1));
    refused("clusterPort is 65536: a port is 0 to 65535", () -> options.clusterPort(65_536));
    refused(
        "clusterHost is \" \": give the address at which other nodes reach this one",
        () -> options.clusterHost(" "));
    refused(
        "sessionTimeout is PT2M: give PT1S to PT1M",
        () -> options.sessionTimeout(Duration.ofMinutes(2)));
    refused("startTimeout is PT0S: give PT1S to PT1H", () -> options.startTimeout(Duration.ZERO));
    refused(
        "closeTimeout is PT-1S: give PT1S to PT1H",
        () -> options.closeTimeout(Duration.ofSeconds(-1)));
  }

  @Test
  void optionsThatDoNotFitTogetherAreRefusedBeforeAnythingStarts() {
    refused(
        "zookeeperPort is 2181, but directory is not set: an embedded ZooKeeper needs a directory such as Path.of(\"data\")",
        () -> CallboardNode.start(new NodeOptions().zookeeperPort(2181)).close());
    refused(
        "zookeeperPort is 2181, but zookeeper is \"zoo:2181\": set a port for an embedded ZooKeeper, or an ensemble to join, not both",
        () ->
            CallboardNode.start(new NodeOptions().zookeeperPort(2181).zookeeper("zoo:2181"))
                .close());
  }

  @Test
  void aNameIsMadeOfHostAndDirectory() {
    assertThat(NodeNames.derived("box", Path.of("data", "a"))).isEqualTo("box-a");
    assertThat(NodeNames.derived("box", null)).isEqualTo("box");
    assertThat(NodeNames.derived("box", Path.of("/"))).isEqualTo("box");
    assertThat(NodeNames.derived("_bo x", Path.of(".my data"))).isEqualTo("bo-x-my-data");
    String longest = NodeNames.derived("h".repeat(99), Path.of("d".repeat(99)));
    assertThat(longest).hasSize(63);
    assertThat(new NodeOptions().name(longest).name()).isEqualTo(longest);
  }
}
