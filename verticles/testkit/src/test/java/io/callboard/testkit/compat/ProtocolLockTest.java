package io.callboard.testkit.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Named;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.Upcast;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProtocolLockTest {
  @TempDir private Path directory;
  private Path file;

  // What was locked.

  enum Colour {
    RED,
    GREEN
  }

  record Line(String sku, @Nullable Integer count) {}

  @Named("account")
  sealed interface Before {
    @Named(value = "paid", version = 2, formerly = "payed")
    record Paid(long cents, @Nullable String note, Colour colour, List<Line> lines)
        implements Before {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return old;
      }
    }

    record Closed() implements Before {}
  }

  @BeforeEach
  void lock() {
    file = directory.resolve("protocols.lock");
    ProtocolLock.check(file, true, Before.class);
  }

  private void passes(Class<?>... protocols) {
    ProtocolLock.check(file, false, protocols);
  }

  /** Fails, also when the file is to be rewritten, and leaves that as it was. */
  private void breaks(Class<?> protocol, String... why) throws Exception {
    String before = Files.readString(file);
    for (boolean update : List.of(false, true)) {
      assertThatThrownBy(() -> ProtocolLock.check(file, update, protocol))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("what is stored could not be read any more; see " + file)
          .hasMessageContainingAll(why)
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1 + why.length));
    }
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  /** Fails until the file is rewritten. */
  private void needsUpdate(Class<?> protocol, String... what) throws Exception {
    String before = Files.readString(file);
    assertThatThrownBy(() -> passes(protocol))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("is not up to date; what is stored stays readable, but:")
        .hasMessageContaining("run this test with -Dcallboard.lock=update and commit the file")
        .hasMessageContainingAll(what);
    assertThat(Files.readString(file)).isEqualTo(before);
    ProtocolLock.check(file, true, protocol);
    passes(protocol);
  }

  @Test
  void theFileIsSortedAndReadable() throws Exception {
    passes(Before.class);
    assertThat(Files.readString(file))
        .endsWith(
            """
            format 1

            protocol account
              type closed version 1
              type paid version 2 formerly payed
                cents: int64
                colour: enum GREEN|RED
                lines: array
                lines[]: object
                lines[].count: int32?
                lines[].sku: string
                note: string?
            """);
  }

  @Named("all")
  record All(
      boolean flag,
      Boolean boxed,
      byte[] bytes,
      @Nullable BigDecimal decimal,
      Instant at,
      Map<String, Line> map,
      Set<int[]> arrays,
      JsonNode json,
      Id id,
      @JsonProperty("renamed") String original,
      Shape shape,
      @Nullable Tree tree) {}

  record Id(@JsonValue long value) {}

  record Tree(List<Tree> children) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  @Test
  void everyKindOfFieldHasItsJson() throws Exception {
    ProtocolLock.check(file, true, Before.class, All.class);
    assertThat(Files.readString(file))
        .endsWith(
            """
            protocol all
              type all version 1
                arrays: array
                arrays[]: array
                arrays[][]: int32
                at: instant
                boxed: boolean
                bytes: base64
                decimal: bigdecimal?
                flag: boolean
                id: int64
                json: json
                map: map
                map{}: object
                map{}.count: int32?
                map{}.sku: string
                renamed: string
                shape: object
                shape<circle>: object
                shape<circle>.radius: float64
                tree: object?
                tree.children: array
                tree.children[]: object like tree
            """);
    passes(Before.class, All.class);
  }

  // What may change.

  enum MoreColours {
    RED,
    GREEN,
    BLUE
  }

  record LongerLine(String sku, @Nullable Integer count, @Nullable Line like) {}

  @Named("account")
  sealed interface Grown {
    @Named(
        value = "paid",
        version = 2,
        formerly = {"payed", "settled"})
    record Paid(
        long cents,
        @Nullable String note,
        MoreColours colour,
        List<LongerLine> lines,
        @Nullable Instant at)
        implements Grown {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return old;
      }
    }

    record Closed() implements Grown {}

    record Opened(String by) implements Grown {}
  }

  @Test
  void changesThatOlderNodesPassOverOrRefuseNeedOnlyTheFile() throws Exception {
    needsUpdate(
        Grown.class,
        "account: type \"opened\" is new; nodes without it refuse it",
        "account: type \"paid\" is now \"paid\", formerly [payed, settled]",
        "account: type \"paid\", field \"at\" (instant?) is new",
        "account: type \"paid\", field \"colour\" has more constants",
        "account: type \"paid\", field \"lines[].like\" (object?) is new");
  }

  @Named("account")
  sealed interface Stepped {
    @Named(
        value = "settled",
        version = 3,
        formerly = {"paid", "payed"})
    record Settled(String everything) implements Stepped {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return old;
      }

      @Upcast(from = 2)
      static ObjectNode two(ObjectNode old) {
        return old.removeAll().put("everything", "else");
      }
    }

    record Closed() implements Stepped {}
  }

  @Test
  void anythingMayChangeWithAstep() throws Exception {
    needsUpdate(
        Stepped.class,
        "account: type \"paid\" has version 3, after 2; nodes of the old version refuse it",
        "account: type \"paid\" is now \"settled\", formerly [paid, payed]");
  }

  // What may not.

  enum FewerColours {
    RED
  }

  record OtherLine(String name, int count) {}

  @Named("account")
  sealed interface Changed {
    @Named(value = "paid", version = 2, formerly = "payed")
    record Paid(String cents, String note, FewerColours colour, List<OtherLine> lines, Line extra)
        implements Changed {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return old;
      }
    }

    record Closed() implements Changed {}
  }

  @Test
  void fieldsDoNotChangeWithoutAstep() throws Exception {
    String type = "- account: type \"paid\", field ";
    String step = ", or raise it to @Named(version = 3) and add @Upcast(from = 2)";
    breaks(
        Changed.class,
        type + "\"cents\" was int64 and is string now: keep its type" + step,
        type + "\"note\" must be there now, but what is stored may lack it: keep it @Nullable",
        type + "\"colour\" has lost [GREEN], which may be stored: keep it" + step,
        type + "\"lines[].sku\" (string) is gone: keep it" + step,
        type + "\"lines[].count\" must be there now",
        type + "\"lines[].name\" (string) is new, but what is stored lacks it: make it @Nullable",
        type + "\"extra\" (object) is new, but what is stored lacks it");
  }

  @Named("account")
  sealed interface Loosened {
    @Named(value = "paid", version = 2, formerly = "payed")
    record Paid(@Nullable Long cents, @Nullable String note, Colour colour, List<Line> lines)
        implements Loosened {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return old;
      }
    }

    record Closed() implements Loosened {}
  }

  @Test
  void aFieldThatOlderNodesNeedStays() throws Exception {
    breaks(
        Loosened.class,
        "field \"cents\" may be missing now, which other nodes do not expect: keep it as it was");
  }

  @Named("account")
  sealed interface Renamed {
    record Settled(long cents) implements Renamed {}

    record Closed() implements Renamed {}
  }

  @Test
  void aTypeDoesNotGo() throws Exception {
    breaks(
        Renamed.class,
        "type \"paid\" is gone: keep it; if it has another name now, add @Named(formerly ="
            + " \"paid\"); if none is stored anywhere, delete it from the lock file");
  }

  @Named("account")
  sealed interface Lowered {
    record Paid(long cents) implements Lowered {}

    record Closed() implements Lowered {}
  }

  @Test
  void aVersionDoesNotGoDownAndAformerNameStays() throws Exception {
    breaks(
        Lowered.class,
        "type \"paid\" had version 2 and has 1 now: a version never goes down, take at least 2",
        "type \"paid\" is not read under its former name \"payed\" any more");
  }

  @Test
  void aProtocolDoesNotGo() throws Exception {
    breaks(Closed.class, "protocol \"account\" is not checked any more: name its class");
  }

  record Closed() {}

  @Named("account")
  record Other(long cents) {}

  @Named(value = "account", version = 2)
  record Unread(long cents) {}

  @Test
  void aWrongProtocolOrFileIsNamed() throws Exception {
    assertThatThrownBy(() -> passes(Unread.class))
        .hasMessageContaining("Unread has version 2, but no upcast step from version 1 to 2");
    assertThatThrownBy(() -> passes(Before.class, Other.class))
        .hasMessageContaining("two protocols are named \"account\"");
    Path none = directory.resolve("none.lock");
    assertThatThrownBy(() -> ProtocolLock.check(none, false, Before.class))
        .hasMessageContaining("there is no " + none)
        .hasMessageContaining("-Dcallboard.lock=update");
    for (String text :
        List.of("format 2\n", "format 1\n  type x version 1\n", "format 1\nprotocol a\n    b\n")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> passes(Before.class))
          .hasMessageMatching("(?s)line [123] is not of a lock file that this version reads.*");
    }
  }

  // An event that became two.

  @Named("trade")
  sealed interface Trade {
    @Named("exchanged")
    record Exchanged(int out, int in) implements Trade {}

    @Named("gave")
    record Gave(int amount) implements Trade {}
  }

  @Named("trade")
  sealed interface SplitTrade {
    @Named("took")
    record Took(int amount) implements SplitTrade {}

    @Named("gave")
    record Gave(int amount) implements SplitTrade {}
  }

  record Total(int total) {}

  static final class Bureau extends PersistentActor<Line, SplitTrade, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected Total apply(Total state, SplitTrade event) {
      return state;
    }

    @Override
    protected Optional<EventUpcaster> upcaster() {
      return Optional.of(
          new EventUpcaster() {
            @Override
            public void upcast(OldEvent event, Consumer<OldEvent> next) {
              next.accept(event.is("exchanged") ? event.as("took", 1, event.body()) : event);
            }

            @Override
            public Set<String> gone() {
              return Set.of("exchanged");
            }
          });
    }

    @Override
    protected void protocol(Protocol<Line> on) {}
  }

  @Test
  void anEventMayGoThatAnUpcasterReads() throws Exception {
    Path trades = directory.resolve("trades.lock");
    ProtocolLock.check(trades, true, Trade.class);
    assertThatThrownBy(() -> ProtocolLock.check(trades, true, SplitTrade.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("trade: type \"exchanged\" is gone")
        .hasMessageContaining("EventUpcaster.gone()");
    List<Supplier<? extends PersistentActor<?, ?, ?>>> bureau = List.of(Bureau::new);
    assertThatThrownBy(() -> ProtocolLock.check(trades, false, bureau, SplitTrade.class))
        .hasMessageContaining("trade: type \"exchanged\" is gone; the upcaster of its actor");
    ProtocolLock.check(trades, true, bureau, SplitTrade.class);
    assertThat(Files.readString(trades)).contains("\n  upcast exchanged\n");
    ProtocolLock.check(trades, false, bureau, SplitTrade.class);
    assertThatThrownBy(() -> ProtocolLock.check(trades, true, SplitTrade.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("event \"exchanged\" is not read by an upcaster any more");
  }

  @Named("account")
  record Wider(String name, @Nullable String mail, List<WiderLine> lines) {}

  record WiderLine(String sku, @Nullable String note) {}

  @Named("account")
  record Narrow(String name, List<NarrowLine> lines) {}

  record NarrowLine(String sku) {}

  @Test
  void aNewFieldWithinAListIsSaidToBeLostByOlderNodes() {
    Path states = directory.resolve("states.lock");
    ProtocolLock.check(states, true, Narrow.class);
    assertThatThrownBy(() -> ProtocolLock.check(states, false, Wider.class))
        .hasMessageContaining(
            "field \"mail\" (string?) is new; nodes without it cannot use it, and keep it")
        .hasMessageContaining(
            "field \"lines[].note\" (string?) is new; nodes without it cannot use it, and lose it where they write a state with such a list: if it is of a state, raise it to @Named(version = 2)");
  }
}
