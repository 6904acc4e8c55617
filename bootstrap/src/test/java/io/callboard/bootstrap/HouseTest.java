package io.callboard.bootstrap;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.callboard.time.Machine;
import io.vertx.core.Future;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The house stays as it is drawn: dependencies run one way, and rooms stay closed. */
class HouseTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.callboard");

  private static final String[] CORE = {
    "io.callboard",
    "io.callboard.admin..",
    "io.callboard.cell..",
    "io.callboard.delivery..",
    "io.callboard.feed..",
    "io.callboard.internal..",
    "io.callboard.journal..",
    "io.callboard.placement..",
    "io.callboard.store..",
    "io.callboard.supervision..",
    "io.callboard.time..",
    "io.callboard.zone.."
  };

  @Test
  void dependenciesRunOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("codecs")
        .definedBy("io.callboard.codecs..")
        .layer("core")
        .definedBy(CORE)
        .layer("patterns")
        .definedBy(
            "io.callboard.guard..",
            "io.callboard.proxy..",
            "io.callboard.routing..",
            "io.callboard.topic..")
        .layer("testkit")
        .definedBy("io.callboard.testkit..")
        .layer("zookeeper")
        .definedBy("io.callboard.zookeeper..")
        .layer("archive")
        .definedBy("io.callboard.archive..")
        .layer("grid")
        .definedBy("io.callboard.grid..")
        .layer("jobs")
        .definedBy("io.callboard.jobs..")
        .layer("dashboard")
        .definedBy("io.callboard.dashboard..")
        .layer("bootstrap")
        .definedBy("io.callboard.bootstrap..", "io.callboard.examples..")
        .whereLayer("bootstrap")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("testkit")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("dashboard")
        .mayOnlyBeAccessedByLayers("bootstrap")
        .whereLayer("jobs")
        .mayOnlyBeAccessedByLayers("dashboard", "bootstrap")
        .whereLayer("grid")
        .mayOnlyBeAccessedByLayers("jobs", "dashboard", "bootstrap")
        .whereLayer("patterns")
        .mayOnlyBeAccessedByLayers("dashboard", "bootstrap")
        .whereLayer("zookeeper")
        .mayOnlyBeAccessedByLayers("bootstrap")
        .whereLayer("archive")
        .mayOnlyBeAccessedByLayers("jobs", "bootstrap")
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers(
            "patterns", "testkit", "zookeeper", "archive", "grid", "jobs", "dashboard", "bootstrap")
        .check(MAIN);
  }

  /** Each package is a room of its own, the root packages included. */
  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new Rooms()).should().beFreeOfCycles().check(MAIN);
  }

  private static final class Rooms implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      return name.startsWith("io.callboard") && !name.startsWith("io.callboard.examples")
          ? SliceIdentifier.of(name)
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "every package";
    }
  }

  @Test
  void theImplementationIsClosed() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.callboard.internal..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.callboard.internal..")
        .because("programs and the modules on top use the API, which loads its implementation")
        .check(MAIN);
  }

  @Test
  void onlyTheZookeeperModuleKnowsZooKeeper() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.callboard.zookeeper..", "io.callboard.audit..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.zookeeper..", "org.apache.curator..", "io.vertx.spi.cluster..")
        .check(MAIN);
  }

  @Test
  void onlyTheArchiveModuleKnowsJdbc() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.callboard.archive..", "io.callboard.examples..", "io.callboard.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "org.flywaydb..")
        .check(MAIN);
  }

  /** Those that are marked, what is nested in them, and all that is in the rooms of machines. */
  @Test
  void machinesTakeTimeAndRandomnessAsArguments() {
    noClasses()
        .that(DescribedPredicate.describe("are machines or nested in one", HouseTest::isMachine))
        .or()
        .resideInAnyPackage(
            "io.callboard.internal.readahead..",
            "io.callboard.internal.turn..",
            "io.callboard.internal.unit..",
            "io.callboard.placement..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage("io.vertx..", "java.util.concurrent..")
                .and(DescribedPredicate.not(JavaClass.Predicates.type(TimeUnit.class))))
        .check(MAIN);
  }

  private static boolean isMachine(JavaClass type) {
    return type.isAnnotatedWith(Machine.class)
        || type.getEnclosingClass().map(HouseTest::isMachine).orElse(false);
  }

  @Test
  void noClockButTheInjectedOne() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.callboard",
            "io.callboard.internal..",
            "io.callboard.grid..",
            "io.callboard.jobs..",
            "io.callboard.zookeeper..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(ThreadLocalRandom.class, "current")
        .check(MAIN);
  }

  @Test
  void theSystemsClockIsInTheTimeOfTheSystemAlone() {
    noClasses()
        .that()
        .resideInAnyPackage(CORE)
        .and()
        .doNotHaveFullyQualifiedName("io.callboard.time.SystemTime")
        .and()
        .resideOutsideOfPackage("io.callboard.store.memory..")
        .should()
        .callMethod(Clock.class, "systemUTC")
        .check(MAIN);
  }

  @Test
  void modulesOnTopUseTheClockAndTheRandomnessOfTheNode() {
    noClasses()
        .that()
        .resideInAnyPackage("io.callboard.grid..", "io.callboard.jobs..", "io.callboard.archive..")
        .should()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callConstructor(SecureRandom.class)
        .orShould()
        .callConstructor(SplittableRandom.class)
        .check(MAIN);
  }

  /** What watches threads and connections goes by the system's time: zones and links. */
  @Test
  void allThatWaitsGoesByTheTimeOfTheNode() {
    noClasses()
        .that()
        .resideInAnyPackage("io.callboard", "io.callboard.internal..", "io.callboard.supervision..")
        .and()
        .resideOutsideOfPackages("io.callboard.internal.zone..", "io.callboard.internal.link..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethodWhere(
            JavaCall.Predicates.target(HasName.Predicates.nameMatching("setTimer|setPeriodic")))
        .check(MAIN);
  }

  /**
   * Vert.x may complete the future of many before handlers that each of them was given earlier have
   * run, if it is completed on another thread meanwhile: what they collect is not there yet then.
   * What {@code map} does is. Seen is {@code onSuccess} in the same method, not in one that it
   * calls.
   */
  @Test
  void noHandlerCollectsBesideTheFutureOfMany() {
    codeUnits().should(new CollectBesideTheFutureOfMany()).check(MAIN);
  }

  private static final class CollectBesideTheFutureOfMany extends ArchCondition<JavaCodeUnit> {
    CollectBesideTheFutureOfMany() {
      super("wait for many futures by what they give, not by what their handlers did");
    }

    @Override
    public void check(JavaCodeUnit unit, ConditionEvents events) {
      Set<String> called =
          unit.getMethodCallsFromSelf().stream()
              .filter(call -> call.getTargetOwner().isEquivalentTo(Future.class))
              .map(JavaCall::getName)
              .collect(Collectors.toSet());
      boolean many = called.contains("all") || called.contains("join");
      if (many && called.contains("onSuccess")) {
        events.add(SimpleConditionEvent.violated(unit, unit.getFullName()));
      }
    }
  }

  @Test
  void noJavaSerialisation() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ObjectOutputStream.class)
        .check(MAIN);
  }
}
