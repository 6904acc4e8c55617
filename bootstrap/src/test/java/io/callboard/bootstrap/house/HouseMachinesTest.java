package io.callboard.bootstrap.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Machines take time and randomness as arguments, and know no thread and no I/O. */
class HouseMachinesTest {
  @Test
  void machinesDependOnValuesOnly() {
    MachineRules.dependOnValuesOnly().check(Product.CLASSES);
  }

  @Test
  void machinesReachNoClockRandomnessThreadOrIo() {
    MachineRules.useNothingAmbient().check(Product.CLASSES);
  }

  static Stream<Class<?>> impure() {
    return Arrays.stream(ImpureMachines.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("impure")
  void anImpureMachineIsFound(Class<?> machine) {
    assertThat(isRefused(machine)).as("%s is refused", machine.getSimpleName()).isTrue();
  }

  @Test
  void aMachineWithInjectedTimeAndRandomnessIsAccepted() {
    assertThat(isRefused(PureMachine.class)).isFalse();
  }

  private static boolean isRefused(Class<?> machine) {
    Set<Class<?>> all = new HashSet<>(List.of(machine.getDeclaredClasses()));
    all.addAll(List.of(machine, AmbientSamples.class, AmbientSamples.Initialized.class));
    JavaClasses classes = new ClassFileImporter().importClasses(all);
    return MachineRules.dependOnValuesOnly().evaluate(classes).hasViolation()
        || MachineRules.useNothingAmbient().evaluate(classes).hasViolation();
  }
}
