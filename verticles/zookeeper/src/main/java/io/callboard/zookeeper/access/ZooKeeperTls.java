package io.callboard.zookeeper.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;
import org.jspecify.annotations.Nullable;

/**
 * TLS to ZooKeeper's {@code secureClientPort}. Stores are PKCS12, JKS or PEM, by the ends of their
 * names ({@code .p12}, {@code .jks}, {@code .pem}); a password stays in its file. The server's name
 * is verified.
 *
 * @param trustStore whom this node trusts; null for those that the JVM trusts
 * @param keyStore what this node proves itself with, if the server wants that; null for nothing
 */
public record ZooKeeperTls(@Nullable StoreFile trustStore, @Nullable StoreFile keyStore) {

  /**
   * @param passwordFile whose first line is the password; null for none
   */
  public record StoreFile(Path path, @Nullable Path passwordFile) {
    private String password() throws IOException {
      // as ZooKeeper reads it: without the end of the line
      return passwordFile == null
          ? ""
          : Files.readString(passwordFile, StandardCharsets.UTF_8).replaceFirst("\\r?\\n\\z", "");
    }

    private void configure(ZKClientConfig config, String location, String passwordPath) {
      config.setProperty(location, path.toString());
      if (passwordFile != null) {
        config.setProperty(passwordPath, passwordFile.toString());
      }
    }
  }

  /** Reader of a key store; {@code type} is empty to tell it by the name of the file. */
  private interface Loader {
    Object load(String path, String password, String type)
        throws IOException, GeneralSecurityException;
  }

  /**
   * Opens the stores once: the client itself would only try again and again.
   *
   * @throws IllegalArgumentException if one cannot be read, with one clear line
   */
  public ZooKeeperTls {
    check("trust", trustStore, X509Util::loadTrustStore);
    check("key", keyStore, X509Util::loadKeyStore);
  }

  private static void check(String what, @Nullable StoreFile store, Loader loader) {
    if (store == null) {
      return;
    }
    if (!Files.isReadable(store.path)) {
      throw new IllegalArgumentException(
          "the %s store %s does not exist or cannot be read".formatted(what, store.path));
    }
    if (store.passwordFile != null && !Files.isReadable(store.passwordFile)) {
      throw new IllegalArgumentException(
          "the password file %s of the %s store does not exist or cannot be read"
              .formatted(store.passwordFile, what));
    }
    try {
      var unused = loader.load(store.path.toString(), store.password(), "");
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the %s store %s cannot be opened; is it PKCS12, JKS or PEM, and the password right?"
              .formatted(what, store.path),
          e);
    }
  }

  void configure(ZKClientConfig config) {
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    try (ClientX509Util names = new ClientX509Util()) {
      if (trustStore != null) {
        trustStore.configure(
            config,
            names.getSslTruststoreLocationProperty(),
            names.getSslTruststorePasswdPathProperty());
      }
      if (keyStore != null) {
        keyStore.configure(
            config,
            names.getSslKeystoreLocationProperty(),
            names.getSslKeystorePasswdPathProperty());
      }
    }
  }
}
