package io.callboard.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Machine on which a report was measured. Figures of different machines do not compare. */
record Machine(String cpu, int cores, long memoryMb, String os, String java) {
  static Machine here() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Machine(
        processor(),
        system.getAvailableProcessors(),
        system.getTotalMemorySize() >> 20,
        "%s %s %s".formatted(system.getName(), system.getVersion(), system.getArch()),
        System.getProperty("java.vm.name") + " " + Runtime.version());
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown"; // not Linux
    }
  }
}
