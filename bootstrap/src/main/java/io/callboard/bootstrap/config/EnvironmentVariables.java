package io.callboard.bootstrap.config;

import io.callboard.jobs.internal.process.ProcessRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Environment variables that begin with {@code CALLBOARD_}. An unknown one is a misspelt setting
 * and is refused. Allowed are the variables that a job's process is given, as it may start a node,
 * those of the cluster's scripts, and those that Kubernetes gives every pod beside a service named
 * callboard.
 */
public final class EnvironmentVariables {
  /** Prefix of the variables. */
  public static final String PREFIX = "CALLBOARD_";

  /** Variable that names the configuration file. */
  static final String CONF = PREFIX + "CONF";

  private static final Pattern OF_A_SERVICE =
      Pattern.compile(PREFIX + "(.+_)?(SERVICE_(HOST|PORT(_.+)?)|PORT_\\d+_(TCP|UDP|SCTP)(_.+)?)");
  private static final Pattern PORT_OF_A_SERVICE = Pattern.compile(PREFIX + "(.+_)?PORT");

  /** Variables of the scripts in {@code conf/cluster}. */
  private static final Set<String> OF_OUR_SCRIPTS =
      Set.of(PREFIX + "CLUSTER", PREFIX + "CLUSTER_HEAP", PREFIX + "JAR");

  private EnvironmentVariables() {}

  /** Returns the variable that stands for the option or key {@code key}. */
  static String of(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /**
   * Checks the variables.
   *
   * @throws StartupFailure that names the first unknown one
   */
  public static void check(Map<String, String> environment) {
    List<String> known =
        new ArrayList<>(
            List.of(
                CONF,
                AccessOptions.AUTH_VARIABLE,
                LoginOptions.PASSWORD_VARIABLE,
                LoginOptions.TOKEN_VARIABLE));
    known.addAll(OF_OUR_SCRIPTS);
    ConfigSources.ENVIRONMENT_KEYS.forEach(key -> known.add(of(key)));
    for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
      String name = entry.getKey();
      boolean means =
          !name.startsWith(PREFIX)
              || known.contains(name)
              || ProcessRunner.VARIABLES.contains(name)
              || isOfAService(name, entry.getValue());
      if (!means) {
        throw StartupFailure.unknown("the environment has an unknown variable", name, known);
      }
    }
  }

  private static boolean isOfAService(String name, String value) {
    return OF_A_SERVICE.matcher(name).matches()
        || (PORT_OF_A_SERVICE.matcher(name).matches() && value.contains("://"));
  }
}
