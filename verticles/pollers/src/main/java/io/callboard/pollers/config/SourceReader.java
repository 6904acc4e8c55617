package io.callboard.pollers.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.AttemptPolicy;
import io.callboard.pollers.model.BodyFormat;
import io.callboard.pollers.model.Emission;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceSettingException;
import io.callboard.workflows.template.Template;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reader of the configuration of sources, an object with a source under each name. It reports every
 * defect with its JSON pointer.
 */
public final class SourceReader {
  /** Most sources of a cell. */
  public static final int MOST_SOURCES = 200;

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?");
  private static final Set<String> AFTER =
      Stream.concat(TargetReader.ROOTS.stream(), Stream.of("result"))
          .collect(Collectors.toUnmodifiableSet());
  private static final int MOST_EMISSIONS = 10;
  private static final int MOST_HEADERS = 20;

  private final Map<String, SourceKind> kinds = new TreeMap<>();
  private final List<FieldDefect> defects = new ArrayList<>();

  /** Names of sources that send nothing. */
  private final Set<String> mute = new HashSet<>();

  private SourceReader(Collection<? extends SourceKind> kinds) {
    kinds.forEach(kind -> this.kinds.put(kind.name(), kind));
  }

  /**
   * Reads the sources.
   *
   * @param kinds kinds of sources that there are, but for {@code http}
   * @throws PollersException of code {@code INVALID} with all defects
   */
  public static List<SourceConfig> read(
      JsonObject sources, Collection<? extends SourceKind> kinds) {
    JsonNode json =
        Json.parse(
            "the configuration of sources", sources.encode().getBytes(StandardCharsets.UTF_8));
    return read(json, kinds);
  }

  /** Reads the sources like {@link #read(JsonObject, Collection)}. */
  public static List<SourceConfig> read(JsonNode sources, Collection<? extends SourceKind> kinds) {
    SourceReader reader = new SourceReader(kinds);
    List<SourceConfig> read = reader.sources(sources);
    if (!reader.defects.isEmpty()) {
      throw new PollersException(reader.defects);
    }
    return read;
  }

  private List<SourceConfig> sources(JsonNode json) {
    List<SourceConfig> read = new ArrayList<>();
    if (!json.isObject()) {
      defects.add(new FieldDefect("", "must be an object with a source under each name", ""));
      return read;
    } else if (json.size() > MOST_SOURCES) {
      defects.add(
          new FieldDefect("", "has %,d sources of %,d".formatted(json.size(), MOST_SOURCES), ""));
      return read;
    }
    for (Map.Entry<String, JsonNode> each : json.properties()) {
      read.add(source(each.getKey(), each.getValue()));
    }
    for (SourceConfig source : read) {
      senders(source, read);
    }
    return read;
  }

  private SourceConfig source(String name, JsonNode json) {
    SourceFields fields =
        new SourceFields(
            json, "/" + Fields.escaped(name), MessagePlaces.ofSource(json), defects::add);
    if (!NAME.matcher(name).matches()) {
      fields.defect("", "a source's name has 1 to 60 lower-case letters, digits and hyphens");
    }
    String kind = fields.required("kind");
    boolean http = kind.equals(SourceConfig.HTTP);
    JsonObject settings = settings(name, fields, kind);
    AckMode ack = ack(fields, http);
    SourceTarget target = target(fields, ack);
    SourceConfig read =
        new SourceConfig(
            name,
            kind,
            settings,
            ack,
            credit(fields, http),
            policy(fields, ack),
            fields.constant("body", BodyFormat.class).orElse(BodyFormat.JSON),
            target,
            emissions(fields, ack));
    fields.noOthers();
    return read;
  }

  private JsonObject settings(String name, SourceFields fields, String kind) {
    JsonNode json = fields.anyObject("settings").orElseGet(JsonNodeFactory.instance::objectNode);
    JsonObject settings = new JsonObject(json.toString());
    SourceKind its = kinds.get(kind);
    if (kind.equals(SourceConfig.HTTP)) {
      mute.add(name);
      if (!settings.isEmpty()) {
        fields.defect("settings", "a source of kind http has none");
      }
    } else if (its != null) {
      try {
        its.check(settings.copy());
        if (!its.sends(settings.copy())) {
          mute.add(name);
        }
      } catch (SourceSettingException e) {
        e.defects().forEach(each -> defects.add(each.within(fields.at("settings"))));
      }
    } else if (!kind.isEmpty()) {
      Set<String> names = new TreeSet<>(kinds.keySet());
      names.add(SourceConfig.HTTP);
      fields.defect("kind", "there is no kind \"%s\"; there are %s".formatted(kind, names));
    }
    return settings;
  }

  private static AckMode ack(SourceFields fields, boolean http) {
    boolean acceptsOnly =
        http || fields.value("start").filter(start -> start.has("tell")).isPresent();
    boolean complete =
        fields
            .word("ack", List.of(AckMode.ON_ACCEPT.word(), AckMode.ON_COMPLETE.word()))
            .map(AckMode.ON_COMPLETE.word()::equals)
            .orElse(!acceptsOnly);
    if (http && complete) {
      fields.defect(
          "ack",
          "a request is answered when its message is durable: \"on_accept\", or leave it out");
    }
    return complete ? AckMode.ON_COMPLETE : AckMode.ON_ACCEPT;
  }

  private SourceTarget target(SourceFields fields, AckMode ack) {
    Optional<JsonNode> start = fields.value("start");
    if (start.isEmpty()) {
      fields.defect(
          "start", "is missing: say what a message becomes, as {\"workflow\": \"index-article\"}");
      return new SourceTarget.StartWorkflow(
          "", Template.of(JsonNodeFactory.instance.nullNode(), Set.of()));
    }
    return TargetReader.read(fields.templates(start.get(), fields.at("start")), ack);
  }

  private static int credit(SourceFields fields, boolean http) {
    if (http && fields.has("credit")) {
      fields.defect("credit", "a source of kind http has none: its clients decide");
    }
    return fields.number("credit", 1, SourceConfig.MOST_CREDIT).orElse(SourceConfig.DEFAULT_CREDIT);
  }

  private static AttemptPolicy policy(SourceFields fields, AckMode ack) {
    AttemptPolicy usual = AttemptPolicy.DEFAULT;
    if (fields.value("retry").isEmpty()) {
      return usual;
    } else if (ack == AckMode.ON_ACCEPT) {
      fields.defect(
          "retry",
          "a message that is acknowledged on_accept is not tried again; the retries of what it"
              + " starts are its own");
    }
    Fields retry = fields.object("retry");
    int attempts =
        retry.number("attempts", 1, AttemptPolicy.MOST_ATTEMPTS).orElse(usual.attempts());
    Duration initial = delay(retry, "initial").orElse(usual.initial());
    Duration max =
        delay(retry, "max").orElse(initial.compareTo(usual.max()) > 0 ? initial : usual.max());
    retry.noOthers();
    try {
      return new AttemptPolicy(attempts, initial, max);
    } catch (IllegalArgumentException | ArithmeticException e) {
      fields.defect("retry", String.valueOf(e.getMessage()));
      return usual;
    }
  }

  private static Optional<Duration> delay(Fields retry, String key) {
    return retry.duration(key, each -> each.compareTo(Duration.ZERO) > 0, "more than zero");
  }

  private List<Emission> emissions(SourceFields fields, AckMode ack) {
    JsonNode given = fields.value("onSuccess").orElse(null);
    List<Emission> read = new ArrayList<>();
    if (given == null) {
      return read;
    } else if (ack == AckMode.ON_ACCEPT) {
      fields.defect("onSuccess", "needs \"ack: on_complete\", which waits for the success");
    }
    JsonNode list = given.isArray() ? given : JsonNodeFactory.instance.arrayNode().add(given);
    if (list.isEmpty() || list.size() > MOST_EMISSIONS) {
      fields.defect("onSuccess", "is one message, or a list of 1 to %d".formatted(MOST_EMISSIONS));
      return read;
    }
    for (int i = 0; i < list.size(); i++) {
      String pointer = fields.at("onSuccess") + (given.isArray() ? "/" + i : "");
      read.add(emission(fields.templates(list.get(i), pointer)));
    }
    return read;
  }

  private static Emission emission(SourceFields fields) {
    Emission read =
        new Emission(
            fields.required("emit"),
            fields.text("source").orElse(null),
            fields.template("body", "${/body}", AFTER),
            fields.map("headers", MOST_HEADERS, AFTER));
    fields.noOthers();
    return read;
  }

  /** Refuses what a source is to send that cannot, itself or another one. */
  private void senders(SourceConfig source, List<SourceConfig> all) {
    List<String> senders =
        all.stream().map(SourceConfig::name).filter(each -> !mute.contains(each)).toList();
    for (Emission each : source.onSuccess()) {
      String other = each.source();
      if (other != null && !senders.contains(other)) {
        senderDefect(source, "there is no source \"%s\" that can send".formatted(other), senders);
      } else if (other == null && source.isPolled() && mute.contains(source.name())) {
        senderDefect(
            source,
            "this source of kind %s, as it is set, sends nothing: name another as \"source\""
                .formatted(source.kind()),
            senders);
      }
    }
  }

  private void senderDefect(SourceConfig source, String what, List<String> senders) {
    defects.add(
        new FieldDefect("/%s/onSuccess".formatted(source.name()), what, "there are " + senders));
  }
}
