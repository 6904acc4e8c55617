package io.callboard.bootstrap.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Dependencies run one way, rooms stay closed, and libraries are used by one module each. All cases
 * of all classes are here, which are read once then.
 */
class HouseTest implements TimeCases, MachineCases {
  private static final Pattern PROGRAMS =
      Pattern.compile("io\\.callboard\\.(examples|bench|chaos)");

  private static final String[] CORE = {
    "io.callboard",
    "io.callboard.admin..",
    "io.callboard.cell..",
    "io.callboard.delivery..",
    "io.callboard.feed..",
    "io.callboard.internal..",
    "io.callboard.journal..",
    "io.callboard.metric..",
    "io.callboard.part..",
    "io.callboard.placement..",
    "io.callboard.store..",
    "io.callboard.supervision..",
    "io.callboard.task..",
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
        .layer("servers")
        .definedBy("io.callboard.servers..")
        .layer("zookeeper")
        .definedBy("io.callboard.zookeeper..")
        .layer("archive")
        .definedBy("io.callboard.archive..")
        .layer("grid")
        .definedBy("io.callboard.grid..")
        .layer("node")
        .definedBy("io.callboard.node..")
        .layer("jobs")
        .definedBy("io.callboard.jobs..")
        .layer("workflows")
        .definedBy("io.callboard.workflows..")
        .layer("pollers")
        .definedBy("io.callboard.pollers..")
        .layer("dashboard")
        .definedBy("io.callboard.dashboard..")
        .layer("bootstrap")
        .definedBy("io.callboard.bootstrap..", "io.callboard.examples..")
        .whereLayer("bootstrap")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("servers")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("testkit")
        .mayOnlyBeAccessedByLayers("servers")
        .whereLayer("dashboard")
        .mayOnlyBeAccessedByLayers("bootstrap")
        .whereLayer("pollers")
        .mayOnlyBeAccessedByLayers("dashboard", "bootstrap")
        .whereLayer("workflows")
        .mayOnlyBeAccessedByLayers("pollers", "dashboard", "bootstrap")
        .whereLayer("jobs")
        .mayOnlyBeAccessedByLayers("workflows", "pollers", "dashboard", "bootstrap")
        .whereLayer("grid")
        .mayOnlyBeAccessedByLayers("node", "jobs", "workflows", "pollers", "dashboard", "bootstrap")
        .whereLayer("node")
        .mayOnlyBeAccessedByLayers("bootstrap")
        .whereLayer("patterns")
        .mayOnlyBeAccessedByLayers("dashboard", "bootstrap")
        .whereLayer("zookeeper")
        .mayOnlyBeAccessedByLayers("node", "bootstrap")
        .whereLayer("archive")
        .mayOnlyBeAccessedByLayers("jobs", "workflows", "bootstrap")
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers(
            "patterns",
            "testkit",
            "zookeeper",
            "archive",
            "grid",
            "node",
            "jobs",
            "workflows",
            "pollers",
            "dashboard",
            "bootstrap")
        .check(Product.CLASSES);
  }

  /** Each package counts, the root packages included. */
  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new Rooms()).should().beFreeOfCycles().check(Product.CLASSES);
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
        .check(Product.CLASSES);
  }

  /** The examples are programs of users; their commands belong to the launcher. */
  @Test
  void usersNeedNoClosedPackage() {
    noClasses()
        .that()
        .resideInAPackage("io.callboard.examples..")
        .and()
        .resideOutsideOfPackage("io.callboard.examples.commands..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..internal..")
        .check(Product.CLASSES);
  }

  /** Signatures that users can call name open types only. */
  @Test
  void thePublicApiShowsNoClosedType() {
    codeUnits()
        .that()
        .arePublic()
        .or()
        .areProtected()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages("..internal..", "io.callboard.bootstrap..", "io.callboard.audit..")
        .should(new ShowsNoClosedType())
        .check(Product.CLASSES);
  }

  private static final class ShowsNoClosedType extends ArchCondition<JavaCodeUnit> {
    ShowsNoClosedType() {
      super("show no closed type");
    }

    @Override
    public void check(JavaCodeUnit unit, ConditionEvents events) {
      Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
          .flatMap(type -> type.getAllInvolvedRawTypes().stream())
          .filter(type -> type.getPackageName().contains(".internal"))
          .filter(type -> type.getPackageName().startsWith("io.callboard."))
          .forEach(
              type ->
                  events.add(
                      SimpleConditionEvent.violated(
                          unit, unit.getFullName() + " shows " + type.getName())));
    }
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
        .check(Product.CLASSES);
  }

  @Test
  void partsAboveCoreMakeNoContexts() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.callboard.internal..",
            "io.callboard.task..",
            "io.callboard.zookeeper..",
            "io.callboard.testkit..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(VertxInternal.class)
        .because("Callboard.tasks(name) gives them")
        .check(Product.CLASSES);
  }

  @Test
  void onlyTheArchiveAndSourcesOfTablesKnowJdbc() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.callboard.archive..",
            "io.callboard.pollers.internal.jdbc..",
            "io.callboard.examples..",
            "io.callboard.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "org.flywaydb..")
        .check(Product.CLASSES);
  }

  /**
   * Vert.x may complete the future of many before handlers that each of them was given earlier have
   * run, if it is completed on another thread meanwhile: what they collect is not there yet then.
   * What {@code map} does is. Seen is {@code onSuccess} in the same method, not in one that it
   * calls.
   */
  @Test
  void noHandlerCollectsBesideTheFutureOfMany() {
    codeUnits().should(new CollectBesideTheFutureOfMany()).check(Product.CLASSES);
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

  /** {@code InetAddress.getLocalHost} fails where the host name does not resolve, or takes long. */
  @Test
  void theNameOfTheMachineHasOneSource() {
    noClasses()
        .that()
        .haveNameNotMatching("io\\.callboard\\.cell\\.LocalMachine.*")
        .should()
        .callMethod(InetAddress.class, "getLocalHost")
        .check(Product.CLASSES);
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
        .check(Product.CLASSES);
  }

  /** Examples, benchmarks and faults apart: those are programs of their own. */
  @Test
  void aClassNameStandsForOneThing() {
    Map<String, List<String>> byName =
        Product.CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .filter(type -> !PROGRAMS.matcher(type.getPackageName()).lookingAt())
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    byName.values().removeIf(types -> types.size() == 1);
    assertThat(byName).isEmpty();
  }
}
