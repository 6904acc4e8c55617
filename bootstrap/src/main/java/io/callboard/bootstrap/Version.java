package io.callboard.bootstrap;

import io.callboard.cell.Release;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as the command line tells it. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Callboard " + Release.version(), "Java " + System.getProperty("java.runtime.version")
    };
  }
}
