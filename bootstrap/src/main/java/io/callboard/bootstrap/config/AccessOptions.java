package io.callboard.bootstrap.config;

import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperTls;
import io.callboard.zookeeper.access.ZooKeeperTls.StoreFile;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of the access to ZooKeeper. Secrets are in files, or the credentials in the environment;
 * none is an option, because others on the machine can read a command line.
 */
public final class AccessOptions {
  /**
   * Environment variable with {@code user:password}; it takes precedence over a file that was not
   * named on the command line.
   */
  static final String AUTH_VARIABLE = "CALLBOARD_ZOOKEEPER_AUTH";

  private static final String AUTH_FILE = "--zookeeper-auth-file";

  /** File with the credentials; null for none. */
  @Option(
      names = AUTH_FILE,
      paramLabel = "FILE",
      description = {
        "File with user:password for ZooKeeper; znodes created with it are closed to other users.",
        "Alternatively set " + AUTH_VARIABLE + ", which wins over a file from the configuration."
      })
  public @Nullable Path authFile;

  /** {@code true} to connect with TLS. */
  @Option(names = "--zookeeper-secure", description = "Connects to ZooKeeper with TLS.")
  public boolean secure;

  /** File with the certificates to trust; null for those that the JVM trusts. */
  @Option(
      names = "--zookeeper-trust-store",
      paramLabel = "FILE",
      description =
          "Certificates that TLS trusts: .p12, .jks or .pem (default: those the JVM trusts).")
  public @Nullable Path trustStore;

  /** File with the password of the trust store; null for none. */
  @Option(
      names = "--zookeeper-trust-store-password-file",
      paramLabel = "FILE",
      description = "File with the password of the trust store.")
  public @Nullable Path trustStorePasswordFile;

  /** File with the certificate and key of this client; null for none. */
  @Option(
      names = "--zookeeper-key-store",
      paramLabel = "FILE",
      description = "Certificate and key of this client, if the ZooKeeper servers require them.")
  public @Nullable Path keyStore;

  /** File with the password of the key store; null for none. */
  @Option(
      names = "--zookeeper-key-store-password-file",
      paramLabel = "FILE",
      description = "File with the password of the key store.")
  public @Nullable Path keyStorePasswordFile;

  /**
   * Returns the access that the options and the environment describe.
   *
   * @param typed whether the file of credentials was named on the command line
   * @throws StartupFailure if a file cannot be read, or the options contradict each other
   */
  public ZooKeeperAccess access(Map<String, String> environment, boolean typed) {
    try {
      return new ZooKeeperAccess(credentials(environment, typed), tls());
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private @Nullable ZooKeeperCredentials credentials(
      Map<String, String> environment, boolean typed) {
    String secret = environment.get(AUTH_VARIABLE);
    if (secret != null && !typed) {
      return ZooKeeperCredentials.of(AUTH_VARIABLE, secret);
    }
    return authFile == null ? null : ZooKeeperCredentials.read(authFile);
  }

  private @Nullable ZooKeeperTls tls() {
    StoreFile trust = store("trust", trustStore, trustStorePasswordFile);
    StoreFile key = store("key", keyStore, keyStorePasswordFile);
    if (!secure && (trust != null || key != null)) {
      throw new IllegalArgumentException(
          "a trust store or key store for ZooKeeper is used with TLS only: add --zookeeper-secure");
    }
    return secure ? new ZooKeeperTls(trust, key) : null;
  }

  private static @Nullable StoreFile store(
      String what, @Nullable Path file, @Nullable Path passwordFile) {
    if (file == null && passwordFile != null) {
      throw new IllegalArgumentException(
          "--zookeeper-%s-store-password-file needs --zookeeper-%s-store".formatted(what, what));
    }
    return file == null ? null : new StoreFile(file, passwordFile);
  }

  /** Returns whether the file of credentials is named in the arguments of a command. */
  static boolean isTyped(picocli.CommandLine command) {
    var parsed = command.getParseResult();
    return parsed != null && parsed.hasMatchedOption(AUTH_FILE);
  }
}
