package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.callboard.codecs.CodecException.Reason;
import java.io.File;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Calendar;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
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

  /** Class that keeps a field to itself. */
  static final class Money {
    private long cents;

    Money() {}

    Money(long cents) {
      this.cents = cents;
    }

    long cents() {
      return cents;
    }
  }

  record WithMoney(String name, List<Money> all) {}

  /** Class that loses what it inherits. */
  static final class Shop extends Base {
    public int count;
  }

  /** Class with a field for its subclasses. */
  static class Base {
    protected String owner = "";
  }

  /** Class whose creator does not take all that it has. */
  static final class Account {
    private final String id;
    private long balance;

    @JsonCreator
    Account(@JsonProperty("id") String id) {
      this.id = id;
    }

    public String getId() {
      return id;
    }

    void add(long cents) {
      balance += cents;
    }

    long balance() {
      return balance;
    }
  }

  /** Class of which a field is read, and not written. */
  static final class Unwritten {
    private final int count;

    @JsonCreator
    Unwritten(@JsonProperty("count") int count) {
      this.count = count;
    }

    int count() {
      return count;
    }
  }

  @Test
  void aFieldThatIsNotWrittenOrNotReadIsRefusedWhenItIsDeclared() {
    String right = "use a record, give the class a getter";
    for (Class<?> each :
        List.of(Money.class, WithMoney.class, Shop.class, Account.class, Unwritten.class)) {
      assertThatThrownBy(() -> ProtocolCodec.checkStored("state", each))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining(right)
          .hasMessageContaining("@JsonProperty")
          .hasMessageContaining("transient");
    }
    refused(new Money(1), "it is a " + Money.class.getName() + ": its field \"cents\" ");
    refused(new WithMoney("x", List.of()), "\"all[]\" is a " + Money.class.getName());
    refused(new Shop(), "its field \"owner\" of " + Base.class.getName());
    refused(new Account("x"), "its field \"balance\" ");
    refused(new Unwritten(1), "its field \"count\" ");
  }

  /** Class with fields that are derived, or go by other names. */
  @JsonIgnoreProperties("listed")
  static final class Careful {
    private static int made;
    private final long cents;
    private final boolean isOpen;
    @JsonProperty private String note = "";
    private transient int hash;
    @JsonIgnore private int cached;
    private int hidden;
    private int listed;

    @JsonCreator
    Careful(@JsonProperty("amount") long amount, @JsonProperty("open") boolean open) {
      this.cents = amount;
      this.isOpen = open;
      made++;
      hash = (int) amount;
      cached = hash;
      hidden = made;
      listed = made;
    }

    public long getAmount() {
      return cents;
    }

    public boolean isOpen() {
      return isOpen;
    }

    /** Returns what is written, and not read. */
    public int getHash() {
      return hash + cached + listed + note.length();
    }

    @JsonIgnore
    public int getHidden() {
      return hidden;
    }
  }

  /** Class whose fields are properties. */
  @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
  static final class Plain {
    private int count;

    int count() {
      return count++;
    }
  }

  /** Class that says itself how it is written and read. */
  @JsonSerialize(using = ToStringSerializer.class)
  static final class Own {
    private final String text;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Own(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Class that is written as a text. */
  static final class Worded {
    private final String text;

    @JsonCreator
    Worded(String text) {
      this.text = text;
    }

    @JsonValue
    String word() {
      return text;
    }
  }

  record WithFields(
      Careful careful, Plain open, Own own, Worded worded, @Nullable Throwable cause) {
    public long getNow() {
      return System.nanoTime();
    }
  }

  @Test
  void fieldsThatAreKeptOrMeantToBeLostAreWritten() {
    WithFields all =
        new WithFields(
            new Careful(3, true),
            new Plain(),
            new Own("x"),
            new Worded("y"),
            new IllegalStateException("z"));
    assertThatCode(() -> ProtocolCodec.checkStored("state", WithFields.class))
        .doesNotThrowAnyException();
    assertThatCode(() -> written(all)).doesNotThrowAnyException();
  }

  record WithBits(BitSet it) {}

  record WithPattern(Pattern it) {}

  record WithFile(File it) {}

  record WithPath(Path it) {}

  record WithPromise(CompletableFuture<String> it) {}

  record WithFuture(Future<String> it) {}

  record WithZone(SimpleTimeZone it) {}

  record WithLock(ReentrantLock it) {}

  @Test
  void typesOfTheJdkThatWouldLoseAPartAreRefusedWithWhatKeepsIt() {
    refused(new WithBits(new BitSet()), "java.util.BitSet: its bits would be lost, which a Set");
    refused(new WithPattern(Pattern.compile("")), "its flags would be lost, which its text keeps");
    refused(new WithFile(new File("")), "a relative one would be read back as absolute");
    refused(new WithPath(Path.of("")), "a relative one would be read back as absolute");
    refused(new WithPromise(new CompletableFuture<>()), "nobody would complete it once it is read");
    refused(new WithFuture(new CompletableFuture<>()), "nobody would complete it once it is read");
    refused(new WithZone(new SimpleTimeZone(0, "x")), "its rules would be lost, which a ZoneId");
    refused(new WithLock(new ReentrantLock()), "has no JSON form");
  }

  /** Interface that is read as one class, as generated value types are. */
  @JsonDeserialize(as = NamedFigure.class)
  interface Figure {
    String name();
  }

  static final class NamedFigure implements Figure {
    @JsonProperty private final String name;
    private final int corners;

    @JsonCreator
    NamedFigure(@JsonProperty("name") String name, @JsonProperty("corners") int corners) {
      this.name = name;
      this.corners = corners;
    }

    @Override
    public String name() {
      return name;
    }

    public int getCorners() {
      return corners;
    }
  }

  record WithFigure(Figure shape) {}

  @JsonDeserialize(as = SilentFigure.class)
  interface Silent {}

  static final class SilentFigure implements Silent {
    private int corners;
  }

  record WithSilence(Silent shape) {}

  @Test
  void anInterfaceIsCheckedAsTheClassThatItIsReadAs() {
    assertThatCode(() -> ProtocolCodec.checkStored("state", WithFigure.class))
        .doesNotThrowAnyException();
    assertThatCode(() -> written(new WithFigure(new NamedFigure("square", 4))))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ProtocolCodec.checkStored("state", WithSilence.class))
        .hasMessageContaining("its field \"corners\" of " + SilentFigure.class.getName());
  }

  /** Class of which there may be others. */
  static class Pet {
    public String name = "";
  }

  /** Pet with more than a pet. */
  static final class Dog extends Pet {
    public String breed = "poodle";
  }

  record Home(Pet pet) {}

  record Tags(HashSet<Integer> all, Map<String, Double> prices) {}

  @Test
  void aValueThatDoesNotComeBackAsItWasIsRefusedWhenItIsWritten() {
    Home home = new Home(new Dog());
    assertThatThrownBy(() -> written(home))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
        .hasMessageContaining(
            "cannot be read back: its \"pet.breed\" would not come back as it was");
    HashSet<Integer> large = new HashSet<>(10_000);
    large.addAll(List.of(100_000, 17, 40_000, 3));
    assertThatCode(() -> written(new Tags(large, Map.of("x", 1e10, "y", -0.0, "z", 0.1))))
        .doesNotThrowAnyException();
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
        .hasMessageContaining("use a record");
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
