package io.callboard.bootstrap;

import io.callboard.cell.NodeVersion;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as the command line tells it. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Callboard " + NodeVersion.version(), "Java " + System.getProperty("java.runtime.version")
    };
  }
}
