package io.callboard.bootstrap;

import io.callboard.cell.NodeVersion;
import picocli.CommandLine.IVersionProvider;

/** Version of this build, as printed by the command line. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Callboard " + NodeVersion.version(), "Java " + System.getProperty("java.runtime.version")
    };
  }
}
