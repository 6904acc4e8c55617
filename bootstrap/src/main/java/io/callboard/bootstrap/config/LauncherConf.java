package io.callboard.bootstrap.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.JsonFault;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.node.internal.data.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Check of {@code -conf} before Vert.x reads it, which would ignore what it cannot read. The
 * configuration of a plain verticle is its own: keys that are not Callboard's are allowed; for
 * {@code actor:<class>} they would have no effect and are refused.
 */
public final class LauncherConf {
  private static final List<String> TEXTS =
      List.of(
          "zookeeper",
          "zookeeper-auth-file",
          "zookeeper-trust-store",
          "zookeeper-trust-store-password-file",
          "zookeeper-key-store",
          "zookeeper-key-store-password-file",
          "cell",
          "name");
  private static final String TIMEOUT = "session-timeout";
  private static final String ACTOR = "actor";
  private static final String SECURE = "zookeeper-secure";
  private static final List<String> KEYS = keys();

  /** Parser as lenient as that of Vert.x (comments), except for repeated keys. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private LauncherConf() {}

  private static List<String> keys() {
    List<String> keys = new ArrayList<>(TEXTS);
    keys.addAll(List.of(TIMEOUT, ACTOR, SECURE, ConfZones.KEY));
    return List.copyOf(keys);
  }

  /**
   * Returns warnings, one line each.
   *
   * @param arguments arguments of the Vert.x command line
   * @throws StartupFailure with one line
   */
  public static List<String> check(String[] arguments) {
    String given = given(arguments);
    if (given == null) {
      return List.of();
    }
    Path file = existing(given);
    String where = file == null ? "-conf" : "-conf " + file;
    JsonNode conf = read(where, file == null ? given.getBytes(StandardCharsets.UTF_8) : all(file));
    checkValues(
        where, conf, Arrays.stream(arguments).anyMatch(argument -> argument.startsWith("actor:")));
    return misspelt(where, conf);
  }

  private static @Nullable String given(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i].replaceFirst("=(?s:.*)", "");
      if (name.equals("-conf") || name.equals("--conf")) {
        boolean joined = name.length() < arguments[i].length();
        return joined
            ? arguments[i].substring(name.length() + 1)
            : i + 1 < arguments.length ? arguments[i + 1] : null;
      }
    }
    return null;
  }

  private static @Nullable Path existing(String given) {
    try {
      Path path = Path.of(given);
      if (Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      return null; // not the name of a file
    }
    if (!given.strip().startsWith("{")) {
      throw StartupFailure.usage(
          "-conf %s is neither an existing file nor a JSON object".formatted(given));
    }
    return null;
  }

  private static byte[] all(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw StartupFailure.usage(
          "-conf %s cannot be read: %s".formatted(file, FileFailure.reason(e)));
    }
  }

  private static JsonNode read(String where, byte[] text) {
    JsonNode conf;
    try {
      conf = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw StartupFailure.usage("%s cannot be read: %s".formatted(where, JsonFault.why(e)));
    } catch (IOException e) {
      throw StartupFailure.usage(
          "%s cannot be read: it is not UTF-8; save it as UTF-8".formatted(where));
    }
    if (!conf.isObject()) {
      throw StartupFailure.usage("%s must hold a JSON object".formatted(where));
    }
    return conf;
  }

  private static void checkValues(String where, JsonNode conf, boolean ofActor) {
    List<FieldDefect> defects = new ArrayList<>();
    ObjectNode ours = conf.deepCopy();
    Fields fields = new Fields(ours.retain(KEYS).without(ConfZones.KEY), "", defects::add);
    fields.noNulls();
    var unused =
        List.of(
            TEXTS.stream().map(fields::text).toList(),
            fields.flag(SECURE),
            fields.nested(ACTOR),
            fields.duration(TIMEOUT, timeout -> !timeout.isNegative(), "at least zero"));
    if (ofActor) {
      new Fields(conf, "", defects::add).noOthersThan(KEYS);
    }
    StartupFailure.requireNone(where, defects);
    if (conf.has(ConfZones.KEY)) {
      var unusedToo = ConfZones.read(where, conf.path(ConfZones.KEY));
    }
  }

  private static List<String> misspelt(String where, JsonNode conf) {
    List<String> warnings = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : conf.properties()) {
      String key = entry.getKey();
      if (!KEYS.contains(key)) {
        Suggestions.of(key, KEYS)
            .ifPresent(
                near ->
                    warnings.add(
                        "%s: \"%s\" is passed to the verticle; %s"
                            .formatted(where, key, Suggestions.question(near))));
      }
    }
    return warnings;
  }
}
