package io.callboard.testkit.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Named;
import io.callboard.codecs.Upcast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenEventsTest {
  @TempDir private Path directory;

  record Pay(long amount) {}

  // The code at first.

  sealed interface OldEvent {
    @Named("paid")
    record OldPaid(int amount) implements OldEvent {}
  }

  @Named("balance")
  record OldBalance(long amount) {}

  static final class OldAccount extends PersistentActor<Pay, OldEvent, OldBalance> {
    @Override
    protected OldBalance initial() {
      return new OldBalance(0);
    }

    @Override
    protected OldBalance apply(OldBalance balance, OldEvent event) {
      return new OldBalance(balance.amount() + ((OldEvent.OldPaid) event).amount());
    }

    @Override
    protected void protocol(Protocol<Pay> on) {
      on.message(Pay.class, pay -> persist(new OldEvent.OldPaid((int) pay.amount())));
    }
  }

  // The code later: cents, and an event that is split when it is large.

  sealed interface Event {
    @Named(value = "paid", version = 2)
    record Paid(long cents) implements Event {
      @Upcast(from = 1)
      static ObjectNode inCents(ObjectNode old) {
        return old.put("cents", old.remove("amount").asLong() * 100);
      }
    }

    record Flagged(long cents) implements Event {}
  }

  @Named(value = "balance", version = 2)
  record Balance(long cents) {
    @Upcast(from = 1)
    static ObjectNode inCents(ObjectNode old) {
      return old.put("cents", old.remove("amount").asLong() * 100);
    }
  }

  static class Account extends PersistentActor<Pay, Event, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(0);
    }

    @Override
    protected Balance apply(Balance balance, Event event) {
      return event instanceof Event.Paid paid
          ? new Balance(balance.cents() + paid.cents())
          : balance;
    }

    @Override
    protected void protocol(Protocol<Pay> on) {
      on.message(
          Pay.class,
          pay -> {
            persist(new Event.Paid(pay.amount()));
            if (pay.amount() > 1_000) {
              persist(new Event.Flagged(pay.amount()));
            }
          });
    }
  }

  /** Account that has lost the meaning of the old events. */
  static final class Forgetful extends Account {
    @Override
    protected Optional<EventUpcaster> upcaster() {
      return Optional.of(
          (event, next) -> {
            if (event.type().version() > 1) {
              next.accept(event);
            }
          });
    }
  }

  /** Account that cannot read the old events. */
  static final class Renamed extends PersistentActor<Pay, Pay, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(0);
    }

    @Override
    protected Balance apply(Balance balance, Pay event) {
      return balance;
    }

    @Override
    protected void protocol(Protocol<Pay> on) {
      on.message(Pay.class, this::persist);
    }
  }

  private static GoldenEvents<Pay> plays(GoldenEvents<Pay> golden) {
    golden.scenario(
        "Two payments",
        account -> {
          account.tell(new Pay(5));
          account.tell(new Pay(2_000));
        });
    return golden;
  }

  private GoldenEvents<Pay> old() {
    return plays(GoldenEvents.of(directory, OldAccount::new));
  }

  private GoldenEvents<Pay> now() {
    return plays(GoldenEvents.of(directory, Account::new));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void isWrittenOnceAndChecked() throws IOException {
    assertThatThrownBy(() -> old().check(false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the events of scenario \"Two payments\" are in no golden file")
        .hasMessageContaining("-Dcallboard.golden=update")
        .hasMessageContaining("two-payments-1.golden");
    old().check(true);
    assertThat(files()).containsExactly("two-payments-1.golden");
    assertThat(Files.readString(directory.resolve("two-payments-1.golden")))
        .contains("\n{\"t\":\"paid\",\"v\":1,\"b\":{\"amount\":2000}}\n")
        .endsWith("{\"state\":{\"type\":\"balance\",\"version\":1,\"state\":{\"amount\":2005}}}\n");
    old().check(false);
    old().check(true);
    assertThat(files()).hasSize(1);
  }

  @Test
  void aChangedEventGetsAFileBesideTheOldOne() throws IOException {
    old().check(true);
    String before = Files.readString(directory.resolve("two-payments-1.golden"));
    assertThatThrownBy(() -> now().check(false)).isInstanceOf(AssertionError.class);
    now().check(true);
    assertThat(files()).containsExactly("two-payments-1.golden", "two-payments-2.golden");
    String after = Files.readString(directory.resolve("two-payments-1.golden"));
    assertThat(after)
        .as("the events and the snapshot stay")
        .startsWith(before.substring(0, before.indexOf("{\"state\":{\"type\"")))
        .contains("{\"state\":{\"type\":\"balance\",\"version\":2,\"state\":{\"cents\":200500}}}");
    now().check(false);
  }

  @Test
  void anEventWithAnotherMeaningIsTold() throws IOException {
    old().check(true);
    now().check(true);
    GoldenEvents<Pay> forgetful = plays(GoldenEvents.of(directory, Forgetful::new));
    assertThatThrownBy(() -> forgetful.check(true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("two-payments-1.golden lead to")
        .hasMessageContaining("but the snapshot stored then leads to");
  }

  @Test
  void anEventThatCannotBeReplayedIsTold() throws IOException {
    old().check(true);
    GoldenEvents<Pay> renamed = plays(GoldenEvents.of(directory, Renamed::new));
    assertThatThrownBy(() -> renamed.check(true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("two-payments-1.golden cannot be replayed any more")
        .hasMessageContaining("event 1 (\"paid\" version 1)");
  }

  @Test
  void anEventInNoFileIsTold() {
    GoldenEvents<Pay> little =
        GoldenEvents.of(directory, Account::new)
            .scenario("little", account -> account.tell(new Pay(5)));
    assertThatThrownBy(() -> little.check(true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("holds event \"flagged\" version 1: add a scenario that writes it");
  }

  @Test
  void aFileThatIsNoGoldenFileIsRefused() throws IOException {
    Files.writeString(directory.resolve("x.golden"), "{\"golden\":2}\n{}\n{}\n");
    assertThatThrownBy(() -> old().check(false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x.golden is not a golden file of format 1");
  }
}
