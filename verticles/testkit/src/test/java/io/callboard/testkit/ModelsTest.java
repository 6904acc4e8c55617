package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The protocol, as models in TLA+ ({@code src/test/tla}), whose every state TLC visits within
 * bounds: with all guards the invariants hold whatever is delayed, reordered or lost; and each
 * guard is needed, for without it TLC finds a run that breaks an invariant. Where a guard can be
 * missed the table says so.
 *
 * <p>Bounds are small, so that what has all guards takes some seconds (but for Rotation, which is
 * with the rest), and the rest a minute; {@code -Dmodels=full -Pnightly} takes larger ones for what
 * holds.
 */
class ModelsTest {
  private static final boolean FULL = System.getProperty("models", "").equals("full");
  private static final String HOLDS = "holds";
  private static final Set<String> TEMPORAL = Set.of("GarbageVanishes");

  /** Models by module: bounds, those for {@code full}, constants, other lines, and all promises. */
  private static final Map<String, Model> MODELS =
      Map.of(
          "Mailbox",
              new Model(
                  "Messages=2 Generations=1 Claims=2 Reloads=1 Requests=4",
                  "Reloads=2 Requests=5",
                  "Hosts={h1,h2} Fence=TRUE Chain=TRUE Header=TRUE Renewal=\"incarnation\""
                      + " Pipelined=FALSE Fifo=FALSE",
                  "SYMMETRY Symmetry",
                  "ExactlyOnceInOrder RecordCounts OnlyTheOwner"),
          "Session",
              new Model(
                  "Messages=3 Incarnations=3 Requests=4",
                  "Messages=4 Incarnations=4 Requests=5",
                  "Depth=1 CheckIncarnation=TRUE NumberChain=TRUE Order=\"bump-read\"",
                  "",
                  "OnceInOrder Truthful"),
          "Relay",
              new Model(
                  "Messages=3 Batch=2 Requests=3 Flips=1 Restores=0",
                  "Requests=4 Flips=2",
                  "Bridges={b1,b2} CheckMark=TRUE CheckCell=TRUE NoGap=TRUE TrimMoved=TRUE ParkBehind=TRUE"
                      + " CheckOpen=TRUE",
                  "SYMMETRY Symmetry",
                  "ExactlyOnceInOrder NoHole FullIsFull"),
          "Rotation",
              new Model(
                  "Messages=2 Generations=1 Limit=2 Flips=1 Doubts=1",
                  "Messages=3 Generations=2",
                  "Senders={s1,s2} CheckHeader=TRUE CheckFlip=TRUE DrainFirst=TRUE NotEmpty=TRUE"
                      + " FromTail=TRUE Budget=TRUE Forget=TRUE CountAll=TRUE",
                  "SYMMETRY Symmetry",
                  "NothingLostInOrder SealedForGood OnlyWhenOpen Bounded"),
          "Snapshot",
              new Model(
                  "Snapshots=2 Chunks=1 Versions=2 Delay=1",
                  "Chunks=2",
                  "ChunksFirst=TRUE CheckParent=TRUE CheckRecord=TRUE Condemn=TRUE Wait=TRUE"
                      + " Monitor=TRUE",
                  "",
                  "ReferencedExists GarbageVanishes"));

  private record Model(
      String bounds, String full, String constants, String extra, String properties) {

    /** Returns the configuration; larger bounds take precedence over those of a row. */
    String configuration(String changes, String checked, boolean large) {
      Map<String, String> values = new LinkedHashMap<>();
      for (String part : List.of(bounds, constants, changes, large ? full : "")) {
        for (String assignment : part.isEmpty() ? new String[0] : part.split(" +")) {
          String[] nameAndValue = assignment.split("=", 2);
          values.put(nameAndValue[0], nameAndValue[1]);
        }
      }
      StringBuilder text = new StringBuilder("SPECIFICATION Spec\n" + extra + "\nCONSTANTS\n");
      values.forEach((name, value) -> text.append(name).append(" = ").append(value).append('\n'));
      for (String name : checked.split(" ")) {
        text.append(TEMPORAL.contains(name) ? "PROPERTY " : "INVARIANT ").append(name).append('\n');
      }
      return text.toString();
    }
  }

  /**
   * Checks one model as it is built, or as it may be configured: all guards are there.
   *
   * @param changes the constants that differ
   * @param checked of what it promises; all, if left out
   */
  @ParameterizedTest(name = "{0} [{1}]")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'', // the double one is TLA's
      nullValues = "all",
      textBlock =
          """
          # one commit in flight, and several; a bump of the lease does instead of an incarnation
          Mailbox  |                                                        | all
          Mailbox  | Pipelined=TRUE Renewal="lease"                         | all
          # one message in flight, and two
          Session  |                                                        | all
          Session  | Depth=2                                                | all
          Relay    |                                                        | all
          Snapshot |                                                        | all
          """)
  void allGuardsAreEnough(String module, @Nullable String changes, @Nullable String checked)
      throws IOException, InterruptedException {
    check(module, changes, checked, HOLDS);
  }

  /**
   * Checks one model that lacks a guard.
   *
   * @param expected {@code holds}, or what is broken first
   */
  @ParameterizedTest(name = "{0} [{1}] {3}")
  @Tag("long")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      nullValues = "all",
      textBlock =
          """
          # all guards, several in flight: takes longer
          Mailbox  | Pipelined=TRUE Requests=5                              | all | holds
          # one in flight: the chain alone is safe, but lets an owner write that was replaced
          Mailbox  | Renewal="none" Fence=FALSE        | ExactlyOnceInOrder RecordCounts | holds
          Mailbox  | Renewal="none" Fence=FALSE                       | all | OnlyTheOwner
          Mailbox  | Chain=FALSE                                            | all | holds
          Mailbox  | Chain=FALSE Renewal="none"                 | all | ExactlyOnceInOrder
          # several in flight: none of the three can be missed, for two commits of an earlier
          # life may be under way, of which the second fits again (ABA), even in order
          Mailbox  | Pipelined=TRUE Renewal="none" Fifo=TRUE Claims=1 Requests=5 | all | RecordCounts
          Mailbox  | Pipelined=TRUE Fence=FALSE Requests=5      | RecordCounts | RecordCounts
          Mailbox  | Pipelined=TRUE Chain=FALSE                 | all | ExactlyOnceInOrder
          # the check of the header is for the bound: see Rotation
          Mailbox  | Pipelined=TRUE Header=FALSE                            | all | holds

          # two in flight need the chain
          Session  | NumberChain=FALSE                          | all | holds
          Session  | Depth=2 NumberChain=FALSE                  | all | OnceInOrder
          Session  | CheckIncarnation=FALSE                     | all | Truthful
          Session  | Order="read-bump"                          | all | Truthful
          Session  | Order="bump"                       | OnceInOrder | OnceInOrder

          Relay    | CheckMark=FALSE                            | all | ExactlyOnceInOrder
          Relay    | TrimMoved=FALSE                            | all | ExactlyOnceInOrder
          Relay    | ParkBehind=FALSE Flips=2                   | all | ExactlyOnceInOrder
          Relay    | CheckOpen=FALSE                            | all | FullIsFull
          # gaps come with a backup only
          Relay    | Flips=0 NoGap=FALSE                        | all | holds
          Relay    | Flips=0 Restores=1                      | NoHole | holds
          Relay    | Flips=0 Restores=1 NoGap=FALSE          | NoHole | NoHole

          # all guards: takes twice as long as each of the other models
          Rotation |                                            | all | holds
          Rotation | CheckHeader=FALSE                          | all | OnlyWhenOpen
          Rotation | CheckHeader=FALSE NotEmpty=FALSE | NothingLostInOrder | NothingLostInOrder
          Rotation | CheckFlip=FALSE                            | all | SealedForGood
          Rotation | CheckFlip=FALSE FromTail=FALSE Flips=2 | NothingLostInOrder | NothingLostInOrder
          Rotation | DrainFirst=FALSE                           | all | NothingLostInOrder
          Rotation | Budget=FALSE                               | all | Bounded
          Rotation | Forget=FALSE                               | all | Bounded
          Rotation | CountAll=FALSE                             | all | Bounded

          Snapshot | Monitor=FALSE Snapshots=1                        | all | GarbageVanishes
          Snapshot | ChunksFirst=FALSE                   | ReferencedExists | ReferencedExists
          # the delay alone keeps nothing safe, and with both checks nothing needs it
          Snapshot | CheckParent=FALSE                   | ReferencedExists | ReferencedExists
          Snapshot | CheckRecord=FALSE                   | ReferencedExists | ReferencedExists
          Snapshot | Condemn=FALSE                       | ReferencedExists | ReferencedExists
          Snapshot | Wait=FALSE Versions=1               | ReferencedExists | holds
          """)
  void everyGuardIsNeeded(
      String module, @Nullable String changes, @Nullable String checked, String expected)
      throws IOException, InterruptedException {
    check(module, changes, checked, expected);
  }

  /**
   * Checks that take longer, or follow from others: an additional guard or order only removes
   * behaviours.
   */
  @ParameterizedTest(name = "{0} [{1}] {3}")
  @Tag("nightly")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      nullValues = "all",
      textBlock =
          """
          Mailbox  | Pipelined=TRUE Renewal="lease" Fifo=TRUE               | all | holds
          Mailbox  | Renewal="none"                                         | all | holds
          Mailbox  | Pipelined=TRUE Renewal="none" Requests=5               | all | RecordCounts
          Mailbox  | Pipelined=TRUE Chain=FALSE Renewal="none"  | all | ExactlyOnceInOrder
          Mailbox  | Pipelined=TRUE Fence=FALSE Renewal="none" Requests=5 | RecordCounts | RecordCounts
          # from before the restoration: its version fits again
          Relay    | Flips=2 Restores=1 CheckCell=FALSE Bridges={b1} | NoHole | NoHole
          Snapshot | CheckRecord=FALSE Wait=FALSE        | ReferencedExists | ReferencedExists
          """)
  void asFarAsTimeAllows(
      String module, @Nullable String changes, @Nullable String checked, String expected)
      throws IOException, InterruptedException {
    check(module, changes, checked, expected);
  }

  private static void check(
      String module, @Nullable String changes, @Nullable String checked, String expected)
      throws IOException, InterruptedException {
    Model model = MODELS.get(module);
    boolean large = FULL && expected.equals(HOLDS);
    String properties = checked == null ? model.properties() : checked;
    Tlc.Result result =
        Tlc.check(
            Path.of("../testkit/src/test/tla"),
            module,
            model.configuration(changes == null ? "" : changes, properties, large),
            large ? Tlc.Effort.LARGE : Tlc.Effort.SMALL);
    assertThat(result.broken().orElse(HOLDS)).as(result.output()).isEqualTo(expected);
    assertThat(result.distinctStates()).isPositive();
  }
}
