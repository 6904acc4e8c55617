package io.callboard.bootstrap.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.AuthOptions;
import io.callboard.dashboard.DashboardOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
   * @throws StartupFailure with one line
   */
  static HttpSettings read(String file, JsonNode http) {
    requireContent(file, KEY, http, "readOnly, names or auth");
    Section section = Section.of(file, KEY, http, List.of("readOnly", "names", "auth"));
    JsonNode auth = http.path("auth");
    return new HttpSettings(
        section.flag("readOnly"),
        section.texts("names"),
        auth.isMissingNode() ? Optional.empty() : Optional.of(auth(file, auth)));
  }

  /** Refuses an empty section: taken for none, it would open the node to everybody. */
  private static void requireContent(String file, String where, JsonNode section, String keys) {
    if (section.isNull() || (section.isTextual() && section.asText().isBlank())) {
      throw StartupFailure.usage(
          "%s: %s is empty: give it %s, or delete the key".formatted(file, where, keys));
    }
  }

  private static AuthOptions auth(String file, JsonNode auth) {
    String where = KEY + ".auth";
    requireContent(file, where, auth, "users or tokens");
    Section section =
        Section.of(file, where, auth, List.of("users", "tokens", "session", "proxies"));
    JsonNode session = auth.path("session");
    Section times = Section.of(file, where + ".session", session, List.of("idle", "most"));
    JsonNode tokens = auth.path("tokens");
    try {
      return new AuthOptions(
          Optional.ofNullable(section.text("users")).map(Path::of),
          tokens.isMissingNode() ? Optional.empty() : Optional.of(tokens(file, tokens)),
          times.duration("idle", AuthOptions.DEFAULT_IDLE),
          times.duration("most", AuthOptions.DEFAULT_MOST),
          section.texts("proxies"));
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage("%s: %s: %s".formatted(file, where, e.getMessage()));
    }
  }

  private static AuthOptions.Tokens tokens(String file, JsonNode tokens) {
    Section section =
        Section.of(
            file,
            KEY + ".auth.tokens",
            tokens,
            List.of("keys", "issuer", "audience", "userClaim", "roleClaim", "roles"));
    return new AuthOptions.Tokens(
        section.text("keys"),
        section.needed("issuer"),
        section.needed("audience"),
        section.text("userClaim", "sub"),
        section.text("roleClaim", "roles"),
        section.words("roles"));
  }

  /**
   * Object of the file, whose keys are known.
   *
   * @param where names it in a message
   */
  private record Section(String where, JsonNode object) {
    static Section of(String file, String key, JsonNode object, List<String> known) {
      String where = file + ": " + key;
      if (!object.isObject() && !object.isMissingNode()) {
        throw StartupFailure.usage(
            "%s takes keys and values, not %s".formatted(where, ConfFile.shown(object)));
      }
      ConfFile.requireKeys(where, object, known);
      return new Section(where, object);
    }

    private StartupFailure wrong(String key, String what) {
      return StartupFailure.usage(
          "%s: %s takes %s, not %s".formatted(where, key, what, ConfFile.shown(object.path(key))));
    }

    boolean flag(String key) {
      JsonNode value = object.path(key);
      if (!value.isMissingNode() && !value.isBoolean()) {
        throw wrong(key, "true or false");
      }
      return value.asBoolean();
    }

    @Nullable String text(String key) {
      JsonNode value = object.path(key);
      if (!value.isMissingNode() && (!value.isTextual() || value.asText().isBlank())) {
        throw wrong(key, "a text");
      }
      return value.isMissingNode() ? null : value.asText();
    }

    String text(String key, String otherwise) {
      String given = text(key);
      return given == null ? otherwise : given;
    }

    String needed(String key) {
      String given = text(key);
      if (given == null) {
        throw StartupFailure.usage("%s: %s is missing".formatted(where, key));
      }
      return given;
    }

    Duration duration(String key, Duration otherwise) {
      String given = text(key);
      try {
        return given == null ? otherwise : Duration.parse(given);
      } catch (DateTimeParseException e) {
        throw wrong(key, "an ISO 8601 duration such as PT30M");
      }
    }

    List<String> texts(String key) {
      JsonNode value = object.path(key);
      List<String> texts = new ArrayList<>();
      for (JsonNode each : value) {
        if (!each.isTextual() || each.asText().isBlank()) {
          throw wrong(key, "a list of names");
        }
        texts.add(each.asText());
      }
      if ((!value.isMissingNode() && !value.isArray()) || texts.size() > MOST_NAMES) {
        throw wrong(key, "a list of up to %d names".formatted(MOST_NAMES));
      }
      return texts;
    }

    Map<String, String> words(String key) {
      JsonNode value = object.path(key);
      Map<String, String> words = new TreeMap<>();
      value.properties().forEach(each -> words.put(each.getKey(), each.getValue().asText()));
      if ((!value.isMissingNode() && !value.isObject()) || words.size() > MOST_ROLES) {
        throw wrong(key, "up to %d values with the role of each".formatted(MOST_ROLES));
      }
      return words;
    }
  }
}
