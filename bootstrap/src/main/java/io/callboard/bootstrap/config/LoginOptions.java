package io.callboard.bootstrap.config;

import io.callboard.node.internal.data.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Options of a command that logs in to a node. Secrets are in files or in the environment, or are
 * asked for; none is an option, because others on the machine can read a command line.
 */
public final class LoginOptions {
  /** Variable with the password. */
  static final String PASSWORD_VARIABLE = "CALLBOARD_PASSWORD";

  /** Variable with the token. */
  static final String TOKEN_VARIABLE = "CALLBOARD_TOKEN";

  /** Name of the user; null to log in with a token, or not at all. */
  @Option(
      names = "--user",
      paramLabel = "NAME",
      description =
          "User to log in as (environment variable CALLBOARD_USER); the password is in "
              + PASSWORD_VARIABLE
              + " or --password-file, else it is asked for.")
  public @Nullable String user;

  /** File with the password; null if it is elsewhere. */
  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with the password of --user.")
  public @Nullable Path passwordFile;

  /** File with a token; null if there is none, or in the environment. */
  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with a token (JWT) to log in with; or set " + TOKEN_VARIABLE + ".")
  public @Nullable Path tokenFile;

  /** Whether the login may be sent without TLS. */
  @Option(
      names = "--plain-http",
      description = "Sends the login over http to another machine, too, where others can read it.")
  public boolean plainHttp;

  /**
   * Returns the value of the header {@code Authorization}; empty if there is no login. Asks for the
   * password if it must.
   *
   * @param command command to which these options belong
   * @throws StartupFailure with one line
   */
  public Optional<String> authorization(CommandLine command) {
    Map<String, String> environment =
        command.getDefaultValueProvider() instanceof ConfigSources sources
            ? sources.environment()
            : Map.of();
    if (user != null && !user.isEmpty()) {
      if (tokenFile != null) {
        throw StartupFailure.usage("give --user or --token-file, not both");
      }
      String pair = user + ":" + password(user, environment);
      byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
      return Optional.of("Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    if (passwordFile != null) {
      throw StartupFailure.usage("--password-file needs --user");
    }
    String token = tokenFile == null ? environment.get(TOKEN_VARIABLE) : secret(tokenFile);
    return token == null || token.isBlank() ? Optional.empty() : Optional.of(bearer(token.strip()));
  }

  private static String bearer(String token) {
    if (!token.matches("[!-~]+")) {
      throw StartupFailure.usage("the token must be one word of visible ASCII characters");
    }
    return "Bearer " + token;
  }

  private String password(String name, Map<String, String> environment) {
    if (passwordFile != null) {
      return secret(passwordFile);
    }
    String given = environment.get(PASSWORD_VARIABLE);
    return given != null
        ? given
        : Secrets.asked("Password of %s: ".formatted(name))
            .orElseThrow(
                () ->
                    StartupFailure.usage(
                        "there is no terminal to ask for the password of %s: set %s, or give --password-file"
                            .formatted(name, PASSWORD_VARIABLE)));
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw StartupFailure.usage("%s cannot be read: %s".formatted(file, FileFailure.reason(e)));
    }
  }
}
