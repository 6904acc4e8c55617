package io.callboard.codecs.redaction;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ParkedDelivery;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Sensitive parts ({@link Sensitive}) of a value in JSON, as the classes say that it may be of.
 * Immutable.
 */
public final class Sensitivity {
  /** Sensitivity of a value nothing of which is sensitive. */
  public static final Sensitivity NONE = new Sensitivity(Set.of(), false, Map.of());

  /** Sensitivity of a value whose class is not known here, which marks nothing as sensitive. */
  public static final Sensitivity UNKNOWN = new Sensitivity(Set.of(), false, Map.of());

  /** Sensitivity of a value all of which is sensitive, its names and its length too. */
  public static final Sensitivity ALL = new Sensitivity(Set.of(), true, Map.of());

  /** Types that the value may have; one of them at least has something sensitive. */
  private final Set<JavaType> types;

  private final boolean all;

  /** Sensitivity of some fields, beside what the types say. */
  private final Map<String, Sensitivity> fields;

  private Sensitivity(Set<JavaType> types, boolean all, Map<String, Sensitivity> fields) {
    this.types = types;
    this.all = all;
    this.fields = fields;
  }

  private static Sensitivity of(Set<JavaType> types) {
    boolean concerned = false;
    for (JavaType type : types) {
      if (SensitiveParts.isConcerned(type)) {
        if (SensitiveParts.isShaped(type)) {
          return ALL;
        }
        concerned = true;
      }
    }
    return concerned ? new Sensitivity(types, false, Map.of()) : NONE;
  }

  /**
   * Returns that of the body of a message; unknown if no class of its logical name is known here.
   * Of a parked delivery it is that of the message in it.
   */
  public static Sensitivity of(MessageType type, JsonNode body) {
    if (!type.name().equals(ParkedDelivery.TYPE)) {
      return of(type);
    }
    String name = body.path("type").asText();
    int version = body.path("version").asInt();
    Sensitivity within =
        name.isEmpty() || version < 1 || name.equals(ParkedDelivery.TYPE)
            ? UNKNOWN
            : of(new MessageType(name, version));
    return within == NONE || within == UNKNOWN
        ? within
        : new Sensitivity(Set.of(), false, Map.of("body", within));
  }

  private static Sensitivity of(MessageType type) {
    Set<Class<?>> classes = MessageType.classes(type.name());
    if (classes.isEmpty()) {
      return UNKNOWN;
    }
    Set<JavaType> types = new HashSet<>();
    for (Class<?> each : classes) {
      if (SensitiveParts.isConcerned(each)) {
        if (!MessageType.of(each).equals(type)) {
          return ALL; // nobody knows what its fields were called, or will be
        }
        SensitiveParts.addConcrete(SensitiveParts.type(each), types);
      }
    }
    return of(types);
  }

  /**
   * Returns whether the class of the value is not known here, so that nobody knows what of it is
   * sensitive.
   */
  public boolean isUnknown() {
    return this == UNKNOWN;
  }

  /** Returns whether all of it is sensitive, whatever it is: it is masked as one value. */
  public boolean isAll() {
    return all;
  }

  /** Returns whether it is sensitive if it is neither an object nor a list. */
  public boolean isSecret() {
    return all || !types.isEmpty(); // an object or a list as one value
  }

  /** Returns that of a field, if it is an object; all of one that no type knows is sensitive. */
  public Sensitivity field(String name) {
    if (all || (types.isEmpty() && fields.isEmpty())) {
      return this;
    }
    Sensitivity its = fields.get(name);
    if (its != null || types.isEmpty()) {
      return its == null ? NONE : its;
    }
    boolean known = false;
    Set<JavaType> within = new HashSet<>();
    for (JavaType type : types) {
      if (SensitiveParts.isSensitive(type, name)) {
        return ALL;
      } else if (type.isMapLikeType()) {
        known = true;
        SensitiveParts.addConcrete(type.getContentType(), within);
      } else if (SensitiveParts.has(type, name)) {
        known = true;
        SensitiveParts.addPart(type, name, within);
      }
    }
    return known ? of(within) : ALL;
  }

  /** Returns that of each element, if it is a list. */
  public Sensitivity element() {
    if (all) {
      return this;
    }
    Set<JavaType> within = new HashSet<>();
    for (JavaType type : types) {
      if (type.isContainerType() && !type.isMapLikeType()) {
        SensitiveParts.addConcrete(type.getContentType(), within);
      } else if (SensitiveParts.isConcerned(type)) {
        return ALL; // an object as a list
      }
    }
    return of(within);
  }
}
