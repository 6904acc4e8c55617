package io.callboard.examples.reference;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.delivery.Redelivery;
import io.callboard.examples.reference.BankService.Step;
import io.callboard.examples.reference.Till.Command;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real bank ends at each step of a charge. */
@Tag("real")
class TillTest {
  private static final Backoff SOON =
      Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(200));
  private static final ActorOptions OPTIONS =
      new ActorOptions().backoff(SOON).attempts(1_000).redelivery(new Redelivery(SOON, 1_000));

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Callboard callboard;
  private Path book;
  private Path portFile;
  private int port;
  private Process service;

  @BeforeEach
  void directory() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "till"));
    Path directory = Files.createTempDirectory(parent, "bank-").toAbsolutePath();
    book = directory.resolve("book");
    portFile = directory.resolve("port");
  }

  @AfterEach
  void end() throws Exception {
    if (service != null) {
      service.destroyForcibly().waitFor();
    }
    nodes.close();
  }

  private void bankEndsAt(Step step) throws Exception {
    Files.deleteIfExists(portFile);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    service =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BankService.class.getName(),
                Integer.toString(port),
                portFile.toString(),
                book.toString(),
                step.name())
            .inheritIO()
            .start();
    Eventually.assertThat(() -> assertThat(portFile).isNotEmptyFile());
    port = Integer.parseInt(Files.readString(portFile).trim());
  }

  private void bankEnded() throws Exception {
    Waits.ended(service);
    assertThat(service.exitValue()).isEqualTo(137);
  }

  private ActorRef<Command> open() throws Exception {
    callboard = nodes.open("till");
    WebClient client = WebClient.create(callboard.vertx());
    Till.Bank bank = new Till.Bank(client, "http://127.0.0.1:%d/".formatted(port));
    await(callboard.spawn("/cashier", () -> new Till.Cashier(bank), OPTIONS));
    await(callboard.spawn("/till", () -> new Till(bank), OPTIONS));
    return callboard.durableRef("/till", Command.class);
  }

  private String sold(String ticket) {
    return callboard
        .durableRef("/till", Command.class)
        .ask(new Command.Look(), Till.Sales.class, Duration.ofSeconds(10))
        .await()
        .byTicket()
        .getOrDefault(ticket, "not sold");
  }

  private int times(String what) {
    try {
      return Collections.frequency(BankService.read(book), what);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NEVER", mode = EnumSource.Mode.EXCLUDE)
  void aDeliveryIsChargedOnceWhereverTheBankEnds(Step step) throws Exception {
    bankEndsAt(step);
    await(open().tell(new Command.Sell("stalls 7", 4_200)));
    bankEnded();
    bankEndsAt(Step.NEVER);
    Eventually.assertThat(() -> assertThat(sold("stalls 7")).isEqualTo("paid"));
    assertThat(times("charged stalls 7")).isOne();
    if (step != Step.ANSWERED) { // that answer may have arrived
      assertThat(times("request stalls 7")).isGreaterThan(1);
    }
  }

  @Test
  void aDeliveryOutlivesTheNode() throws Exception {
    bankEndsAt(Step.CHARGED);
    await(open().tell(new Command.Sell("stalls 7", 4_200)));
    bankEnded();
    nodes.close(callboard);
    bankEndsAt(Step.NEVER);
    ActorRef<Command> unused = open();
    Eventually.assertThat(() -> assertThat(sold("stalls 7")).isEqualTo("paid"));
    assertThat(times("charged stalls 7")).isOne();
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIVED", "CHARGED", "ANSWERED"})
  void aChargeBeforeTheSaleIsAskedForAgain(Step step) throws Exception {
    bankEndsAt(step);
    await(open().tell(new Command.SellPaid("stalls 8", 4_200)));
    bankEnded();
    bankEndsAt(Step.NEVER);
    Eventually.assertThat(() -> assertThat(sold("stalls 8")).isEqualTo("paid"));
    if (step != Step.ANSWERED) {
      assertThat(times("request stalls 8")).as("the key makes it one charge").isGreaterThan(1);
    }
    assertThat(times("charged stalls 8")).isOne();
  }

  @ParameterizedTest
  @EnumSource(names = "NEVER", mode = EnumSource.Mode.EXCLUDE)
  void aChargeAfterTheSaleMayNeverBeMade(Step step) throws Exception {
    bankEndsAt(step);
    ActorRef<Command> till = open();
    await(till.tell(new Command.SellOnTrust("stalls 9", 4_200)));
    bankEnded();
    bankEndsAt(Step.NEVER);
    await(till.tell(new Command.SellOnTrust("stalls 10", 4_200)));
    Eventually.assertThat(() -> assertThat(times("charged stalls 10")).isOne());
    assertThat(sold("stalls 9")).isEqualTo("sold");
    assertThat(times("request stalls 9")).as("at most once").isOne();
    assertThat(times("charged stalls 9")).isEqualTo(step == Step.RECEIVED ? 0 : 1);
  }
}
