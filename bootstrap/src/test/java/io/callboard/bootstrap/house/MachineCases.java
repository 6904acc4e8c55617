package io.callboard.bootstrap.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of machines: they take time and randomness as arguments, and know no thread and no I/O. */
interface MachineCases {
  /** Samples, read once. */
  JavaClasses SAMPLES =
      new ClassFileImporter()
          .importClasses(
              Stream.of(ImpureMachines.class, PureMachine.class, AmbientSamples.class)
                  .flatMap(type -> Stream.concat(Stream.of(type), nested(type)))
                  .toList());

  @Test
  default void machinesDependOnValuesOnly() {
    MachineRules.dependOnValuesOnly().check(Product.CLASSES);
  }

  @Test
  default void machinesReachNoClockRandomnessThreadOrIo() {
    MachineRules.useNothingAmbient().check(Product.CLASSES);
  }

  private static Stream<Class<?>> nested(Class<?> type) {
    return Arrays.stream(type.getDeclaredClasses())
        .flatMap(each -> Stream.concat(Stream.of(each), nested(each)));
  }

  static Stream<Class<?>> impure() {
    return Arrays.stream(ImpureMachines.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("io.callboard.bootstrap.house.MachineCases#impure")
  default void anImpureMachineIsFound(Class<?> machine) {
    assertThat(isRefused(machine)).as("%s is refused", machine.getSimpleName()).isTrue();
  }

  @Test
  default void aMachineWithInjectedTimeAndRandomnessIsAccepted() {
    assertThat(isRefused(PureMachine.class)).isFalse();
  }

  private static boolean isRefused(Class<?> machine) {
    JavaClasses classes =
        SAMPLES.that(
            describe(
                "are that machine",
                (JavaClass type) ->
                    type.isEquivalentTo(machine)
                        || type.getName().startsWith(machine.getName() + "$")));
    assertThat(classes).isNotEmpty();
    return MachineRules.dependOnValuesOnly().evaluate(classes).hasViolation()
        || MachineRules.useNothingAmbient().evaluate(classes).hasViolation();
  }
}
