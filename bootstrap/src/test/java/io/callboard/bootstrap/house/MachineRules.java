package io.callboard.bootstrap.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Rules of the machines: the types that are marked, what is nested in them, and all that is in the
 * rooms of machines.
 */
final class MachineRules {
  private static final String[] ROOMS = {
    "io.callboard.internal.readahead..",
    "io.callboard.internal.turn..",
    "io.callboard.internal.unit..",
    "io.callboard.placement.."
  };

  /** Packages whose types compute and hold values, except for those of {@link #NOT_ALLOWED}. */
  private static final String[] ALLOWED = {
    "", // primitives
    "java.lang",
    "java.lang.annotation",
    "java.lang.invoke",
    "java.lang.runtime",
    "java.math",
    "java.nio",
    "java.nio.charset",
    "java.time..",
    "java.util",
    "java.util.function",
    "java.util.random",
    "java.util.regex",
    "java.util.stream",
    "com.fasterxml.jackson..",
    "com.google.errorprone.annotations..",
    "io.callboard..",
    "org.jspecify.annotations",
    "org.pcollections",
    "org.slf4j" // a line of the log decides nothing
  };

  /** A clock or generator of this kind is not an argument, but a source of one's own. */
  private static final Set<String> NOT_ALLOWED =
      Set.of(
          "java.lang.ClassLoader",
          "java.lang.InheritableThreadLocal",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.ProcessHandle",
          "java.lang.Runtime",
          "java.lang.Thread",
          "java.lang.ThreadGroup",
          "java.lang.ThreadLocal",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.Calendar",
          "java.util.Date",
          "java.util.GregorianCalendar",
          "java.util.Random",
          "java.util.ResourceBundle",
          "java.util.Scanner",
          "java.util.ServiceLoader",
          "java.util.SplittableRandom",
          "java.util.Timer",
          "java.util.TimerTask",
          "java.util.random.RandomGeneratorFactory");

  private static final DescribedPredicate<JavaClass> IN_ROOMS =
      JavaClass.Predicates.resideInAnyPackage(ROOMS);

  private static final DescribedPredicate<JavaClass> VALUES =
      JavaClass.Predicates.resideInAnyPackage(ALLOWED);

  private static final DescribedPredicate<JavaClass> MACHINES =
      describe("are machines, nested in one or in a room of machines", MachineRules::isMachine);

  private MachineRules() {}

  private static boolean isMachine(JavaClass type) {
    return type.isAnnotatedWith(Machine.class)
        || IN_ROOMS.test(type)
        || type.getEnclosingClass().map(MachineRules::isMachine).orElse(false);
  }

  static ArchRule dependOnValuesOnly() {
    DescribedPredicate<JavaClass> value =
        describe(
            "compute and hold values",
            type -> {
              JavaClass base = type.getBaseComponentType();
              return JavaClass.Predicates.type(TimeUnit.class).test(base)
                  || (VALUES.test(base) && !NOT_ALLOWED.contains(base.getName()));
            });
    return classes().that(MACHINES).should().onlyDependOnClassesThat(value);
  }

  /** Not even through other classes of ours. */
  static ArchRule useNothingAmbient() {
    return classes().that(MACHINES).should(new UseNothingAmbient());
  }

  private static final class UseNothingAmbient extends ArchCondition<JavaClass> {
    UseNothingAmbient() {
      super("use no clock, randomness, thread or I/O, not even through a class of the product");
    }

    @Override
    public void check(JavaClass machine, ConditionEvents events) {
      Deque<JavaCodeUnit> waiting = new ArrayDeque<>();
      Map<JavaCodeUnit, String> way = new HashMap<>();
      add(machine, "", waiting, way);
      while (!waiting.isEmpty()) {
        JavaCodeUnit unit = waiting.removeFirst();
        String here = way.get(unit) + unit.getFullName();
        for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
          if (!Ambient.kinds(access).isEmpty() || isTimeOfNode(access)) {
            events.add(
                SimpleConditionEvent.violated(
                    machine, here + " -> " + access.getTarget().getFullName()));
          }
          access
              .getTarget()
              .resolveMember()
              .filter(member -> isOurs(member.getOwner()))
              .ifPresent(
                  member -> {
                    Stream<JavaCodeUnit> next =
                        Stream.concat(
                            member.getOwner().getStaticInitializer().stream(),
                            member instanceof JavaCodeUnit code ? Stream.of(code) : Stream.of());
                    next.forEach(
                        code -> {
                          if (way.putIfAbsent(code, here + " -> ") == null) {
                            waiting.add(code);
                          }
                        });
                  });
        }
      }
    }

    /** Its constants are values; to initialise it reads no clock. */
    private static boolean isOurs(JavaClass type) {
      return type.getPackageName().startsWith("io.callboard")
          && !type.getPackageName().equals("io.callboard.time");
    }

    private static boolean isTimeOfNode(JavaAccess<?> access) {
      return access.getTargetOwner().isEquivalentTo(Time.class)
          && !Set.of("LONGEST", "atMostLongest").contains(access.getName());
    }

    private static void add(
        JavaClass machine,
        String from,
        Deque<JavaCodeUnit> waiting,
        Map<JavaCodeUnit, String> way) {
      List<JavaCodeUnit> own =
          Stream.concat(
                  machine.getCodeUnits().stream(),
                  machine.getStaticInitializer().<JavaCodeUnit>map(i -> i).stream())
              .toList();
      own.forEach(unit -> way.put(unit, from));
      waiting.addAll(own);
    }
  }
}
