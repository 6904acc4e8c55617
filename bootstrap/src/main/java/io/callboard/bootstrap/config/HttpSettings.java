package io.callboard.bootstrap.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.dashboard.AuthOptions;
import io.callboard.dashboard.DashboardOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of HTTP that only the configuration file has, below {@code http}.
 *
 * @param readOnly whether writes are refused
 * @param names more names under which requests are answered, such as that of a proxy
 * @param auth login; empty if nobody need log in
 */
public record HttpSettings(boolean readOnly, List<String> names, Optional<AuthOptions> auth) {
  /** Settings of a file that says nothing of them. */
  public static final HttpSettings NONE = new HttpSettings(false, List.of(), Optional.empty());

  /** Key below which they are. */
  static final String KEY = "http";

  private static final int MOST_NAMES = 50;
  private static final int MOST_ROLES = 200;

  /** Copies the list. */
  public HttpSettings {
    names = List.copyOf(names);
  }

  /** Sets them in options of the dashboard. */
  public DashboardOptions in(DashboardOptions options) {
    options.readOnly(readOnly);
    names.forEach(options::allowHost);
    auth.ifPresent(options::auth);
    return options;
  }

  /**
   * Reads them.
   *
   * @param file names the configuration in a message
   * @throws StartupFailure with one line that has every mistake
   */
  static HttpSettings read(String file, JsonNode http) {
    List<FieldDefect> defects = new ArrayList<>();
    Fields fields = new Fields(http, "/" + KEY, defects::add);
    fields.noNulls(); // an empty section, taken for none, would open the node to everybody
    HttpSettings read =
        new HttpSettings(
            fields.flag("readOnly").orElse(false),
            fields.texts("names", MOST_NAMES).orElse(List.of()),
            fields.convert("auth", fields::nested, HttpSettings::auth));
    fields.noOthers();
    StartupFailure.requireNone(file, defects);
    return read;
  }

  private static AuthOptions auth(Fields auth) {
    Fields session = auth.object("session");
    Optional<Fields> tokens = auth.nested("tokens");
    Optional<Path> users = auth.text("users").map(Path::of);
    Duration idle = session.duration("idle").orElse(AuthOptions.DEFAULT_IDLE);
    Duration most = session.duration("most").orElse(AuthOptions.DEFAULT_MOST);
    List<String> proxies = auth.texts("proxies", MOST_NAMES).orElse(List.of());
    session.noOthers();
    auth.noOthers();
    return new AuthOptions(users, tokens.map(HttpSettings::tokens), idle, most, proxies);
  }

  private static AuthOptions.Tokens tokens(Fields tokens) {
    tokens.noOthersThan(List.of("keys", "issuer", "audience", "userClaim", "roleClaim", "roles"));
    return new AuthOptions.Tokens(
        tokens.text("keys").orElse(null),
        tokens.required("issuer"),
        tokens.required("audience"),
        tokens.text("userClaim").orElse("sub"),
        tokens.text("roleClaim").orElse("roles"),
        tokens.textsByName("roles", MOST_ROLES).orElse(Map.of()));
  }
}
