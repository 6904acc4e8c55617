package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.CodecException.Reason;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Calendar;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that a value which could be written but never be read back is refused before it is written.
 */
class RoundTripCheckTest {
  // What can be read back.

  /** Type of which only the text is written. */
  interface Code {
    @JsonValue
    String text();

    @JsonCreator
    static Code of(String text) {
      return () -> text;
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Circle.class, name = "circle"),
    @JsonSubTypes.Type(value = Square.class, name = "square")
  })
  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Square(double side, @Nullable Shape inner) implements Shape {}

  record Tree(String name, List<Tree> below) {}

  record Pair<A, B>(A one, B other) {}

  /** Class whose fields are set. */
  static final class Bean {
    public int count;
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  record Values(
      int number,
      BigDecimal price,
      byte[] seal,
      Instant at,
      Duration within,
      UUID id,
      URI link,
      Path file,
      Locale locale,
      Number any,
      CharSequence text,
      TimeUnit unit,
      AtomicInteger count,
      OptionalInt maybe) {}

  record Composed(
      Code code,
      Shape shape,
      Tree tree,
      Bean bean,
      JsonNode json,
      Pair<String, List<Circle>> pair,
      Set<Shape> shapes,
      Optional<Map<UUID, Circle[]>> circles,
      EnumSet<TimeUnit> units,
      EnumMap<TimeUnit, Long> times,
      SortedMap<String, int[]> numbers,
      @Nullable Throwable cause) {
    @JsonIgnore
    Runnable derived() {
      return () -> {};
    }
  }

  @Test
  void valuesThatCanBeReadBackAreWritten() {
    Values values =
        new Values(
            1,
            BigDecimal.TEN,
            new byte[1],
            Instant.EPOCH,
            Duration.ZERO,
            new UUID(1, 2),
            URI.create("http://localhost"),
            Path.of("a"),
            Locale.ROOT,
            3,
            "text",
            TimeUnit.DAYS,
            new AtomicInteger(),
            OptionalInt.of(1));
    Composed composed =
        new Composed(
            Code.of("x"),
            new Square(1, new Circle(2)),
            new Tree("root", List.of(new Tree("leaf", List.of()))),
            new Bean(),
            JsonNodeFactory.instance.objectNode(),
            new Pair<>("a", List.of()),
            Set.of(new Circle(1)),
            Optional.of(Map.of(new UUID(1, 2), new Circle[] {new Circle(3)})),
            EnumSet.of(TimeUnit.DAYS),
            new EnumMap<>(Map.of(TimeUnit.DAYS, 1L)),
            new TreeMap<>(Map.of("a", new int[1])),
            null);
    for (Object each : List.of(values, composed, new Circle(1))) {
      Envelope written = Envelope.of(new MessageId("/a", 1), each, null);
      Object read =
          ProtocolCodec.of(each.getClass())
              .decode(written.type(), written.body(), 0, written.body().length);
      assertThat(Json.bytes(read)).isEqualTo(written.body());
    }
  }

  // What cannot.

  record AnyThing(Object what) {}

  record Later(String name, Runnable then) {}

  record Kind(Class<?> type) {}

  record ByKind(Map<Class<?>, String> names) {}

  record ByAny(Map<Object, String> names) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Thing {}

  record Named(Thing thing) {}

  record Deep(List<Map<String, Optional<Later>>> all) {}

  sealed interface Untold {
    record One(int n) implements Untold {}
  }

  record WithUntold(Untold what) {}

  record Open<T>(T what) {}

  record Texts(Map<String, Object> all) {}

  /** Class that cannot be constructed. */
  static final class Closed {
    public final int n;

    private Closed(int n, String unused) {
      this.n = n + unused.length();
    }
  }

  record WithClosed(Closed inner) {}

  record Keyed(Map<Tree, String> byTree) {}

  record WithKeyed(String name, Keyed keyed) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Told.Kept.class, name = "kept"))
  interface Told {
    record Kept(String name, Object rest) implements Told {}
  }

  record WithTold(Told what) {}

  @Test
  void otherValuesAreRefusedWithTheComponentAndWhatWouldBeRight() {
    refused(new AnyThing("x"), "\"what\" is a java.lang.Object: it may hold any class");
    refused(new Later("x", () -> {}), "\"then\" is a java.lang.Runnable: JSON does not say which");
    refused(new Deep(List.of()), "\"all[]{}.then\" is a java.lang.Runnable");
    refused(new Kind(String.class), "\"type\" is a java.lang.Class");
    refused(new ByKind(Map.of()), "\"names{}\" is a java.lang.Class");
    refused(
        new ByAny(Map.of()), "\"names{}\" is a java.lang.Object: a key in JSON is read back as");
    refused(new Named(new Thing() {}), "no class is loaded by a name that was sent");
    refused(new WithUntold(new Untold.One(1)), "\"what\" is a " + Untold.class.getName());
    refused(new Open<>("x"), "\"what\" is a java.lang.Object");
    refused(new Texts(Map.of()), "\"all{}\" is a java.lang.Object");
    refused(new WithClosed(new Closed(1, "")), "\"inner\" is a " + Closed.class.getName());
    refused(new Closed(1, ""), "it is a " + Closed.class.getName());
    refused(new WithKeyed("x", new Keyed(Map.of())), "\"keyed.byTree\" is a java.util.Map<");
    refused(new WithTold(new Told.Kept("x", 1)), "\"what.rest\" is a java.lang.Object");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  sealed interface Unnamed {
    record One(int n) implements Unnamed {}
  }

  record WithUnnamed(List<Unnamed> all) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = HalfNamed.One.class, name = "one"))
  sealed interface HalfNamed {
    record One(int n) implements HalfNamed {}

    record Other(int n) implements HalfNamed {}
  }

  record WithHalfNamed(String name, Optional<HalfNamed> what) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  interface OpenUnnamed {}

  record WithOpenUnnamed(OpenUnnamed what) {}

  record UnnamedHere(@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) Untold what) {}

  record UnnamedInListHere(@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) List<Untold> all) {}

  record WithCalendar(Calendar at) {}

  record WithTimestamp(Timestamp at) {}

  @Test
  void namesThatNoSubtypeHasAreRefusedWhenTheyAreDeclared() {
    String right = "add @JsonSubTypes with a name for each";
    refused(new WithUnnamed(List.of()), "\"all[]\" is a " + Unnamed.class.getName());
    refused(new WithUnnamed(List.of()), "it may be a " + Unnamed.One.class.getName());
    refused(new WithUnnamed(List.of()), right);
    refused(
        new WithHalfNamed("x", Optional.empty()), "it may be a " + HalfNamed.Other.class.getName());
    refused(new WithOpenUnnamed(new OpenUnnamed() {}), "@JsonTypeInfo knows no subtype of it");
    refused(new UnnamedHere(new Untold.One(1)), "\"what\" is a " + Untold.class.getName());
    refused(new UnnamedInListHere(List.of()), "\"all[]\" is a " + Untold.class.getName());
  }

  @Test
  void timesThatWouldLoseAPartAreRefusedWithWhatKeepsIt() {
    refused(
        new WithCalendar(Calendar.getInstance()),
        "\"at\" is a java.util.Calendar: its time zone would be lost, which a ZonedDateTime keeps");
    refused(
        new WithTimestamp(new Timestamp(1)),
        "\"at\" is a java.sql.Timestamp: its nanoseconds would be lost, which an Instant keeps");
  }

  /** Interface of which there may be classes that it does not know. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = KnownAnimal.class, name = "known"))
  interface Animal {}

  record KnownAnimal(int legs) implements Animal {}

  record StrangeAnimal(int legs) implements Animal {}

  record Zoo(List<Animal> all) {}

  record NamedHere(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes(@JsonSubTypes.Type(value = Untold.One.class, name = "one"))
          Untold what,
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes(@JsonSubTypes.Type(value = Untold.One.class, name = "one"))
          List<Untold> all) {}

  @Test
  void aClassThatItsTypeDoesNotNameIsRefusedWhenItIsWritten() {
    assertThatCode(() -> written(new Zoo(List.of(new KnownAnimal(4))))).doesNotThrowAnyException();
    assertThatCode(() -> written(new NamedHere(new Untold.One(1), List.of(new Untold.One(2)))))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> written(new Zoo(List.of(new KnownAnimal(4), new StrangeAnimal(5)))))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
        .hasMessageContaining(
            StrangeAnimal.class.getName()
                + " could not be read back: @JsonSubTypes of "
                + Animal.class.getName()
                + " do not name it");
  }

  private static Envelope written(Object message) {
    return Envelope.of(new MessageId("/a", 1), message, null);
  }

  /** Written as a text, and read as an object. */
  record OnlyText(int n) {
    @JsonValue
    String text() {
      return "n=" + n;
    }
  }

  record Positive(int n) {
    static boolean strict;

    Positive {
      if (strict && n <= 0) {
        throw new IllegalArgumentException("not positive");
      }
    }
  }

  record WithOnlyText(List<OnlyText> all) {}

  record OnlyNumber(int n, int m) {
    @JsonValue
    int sum() {
      return n + m;
    }
  }

  record WithOnlyNumber(OnlyNumber number) {}

  @Test
  void typesWrittenAsATextOrNumberAreRefusedUnlessReadAsOne() {
    refused(
        new WithOnlyText(List.of()),
        "it is written as what text() returns (@JsonValue), which no @JsonCreator of it takes");
    refused(
        new WithOnlyNumber(new OnlyNumber(1, 2)),
        "it is written as what sum() returns (@JsonValue), which no @JsonCreator of it takes");
  }

  @Test
  void theFirstValuesOfAClassAreReadBackWhenTheyAreWritten() {
    Positive none = new Positive(0);
    Positive.strict = true;
    assertThatThrownBy(() -> written(none))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
        .hasMessageStartingWith("message \"positive\" (" + Positive.class.getName())
        .hasMessageContaining(") cannot be read back: ")
        .hasMessageContaining("not positive");
  }

  record Brake(String name, Instant on) {
    public boolean isOn() {
      return true;
    }
  }

  record WithBrake(Brake brake) {}

  record Unhidden(String level, String on) {
    public static boolean isLevel() {
      return true;
    }

    public void getLevel() {}

    public String isOn() {
      return "it is no getter";
    }
  }

  @Test
  void aMethodThatIsNoGetterHidesNothing() {
    assertThatCode(() -> Envelope.of(new MessageId("/a", 1), new Unhidden("high", "x"), null))
        .doesNotThrowAnyException();
  }

  /** Found by a rehearsal: Jackson wrote true as the time, and nothing could read it. */
  @Test
  void aMethodMayNotHideAComponent() {
    assertThatThrownBy(
            () ->
                Envelope.of(
                    new MessageId("/a", 1), new WithBrake(new Brake("b", Instant.EPOCH)), null))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(
            "its component \"brake.on\" would be written as what its method isOn() returns;");
  }

  private static void refused(Object message, String why) {
    assertThatThrownBy(() -> Envelope.of(new MessageId("/a", 1), message, null))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
        .hasMessageContaining("message \"")
        .hasMessageContaining("(" + message.getClass().getName() + ") cannot be read back: ")
        .hasMessageContaining(why)
        .hasMessageContaining("use a record, an enum");
  }

  @Test
  void noClassIsLoadedByANameThatWasSent() {
    assertThatThrownBy(() -> read("{\"type\":\"java.lang.String\"}", Kind.class))
        .hasMessageContaining("no class is loaded by a name that was sent");
    assertThatThrownBy(() -> read("{\"thing\":{\"@class\":\"java.util.ArrayList\"}}", Named.class))
        .hasMessageContaining("denied resolution");
    assertThatThrownBy(() -> read("{\"names\":{\"java.lang.String\":\"x\"}}", ByKind.class))
        .hasMessageContaining("no class is loaded by a name that was sent");
  }

  private static Object read(String json, Class<?> type) {
    return Json.read("it", json.getBytes(StandardCharsets.UTF_8), type);
  }

  @Test
  void statesAndEventsAreRefusedWhenTheyAreDeclared() {
    assertThatThrownBy(() -> ProtocolCodec.checkStored("state", Later.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("state \"later\"")
        .hasMessageContaining("java.lang.Runnable");
    assertThatCode(() -> ProtocolCodec.checkStored("event", Shape.class))
        .doesNotThrowAnyException();
  }
}
