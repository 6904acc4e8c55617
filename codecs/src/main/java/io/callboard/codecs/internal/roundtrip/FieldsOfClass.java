package io.callboard.codecs.internal.roundtrip;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Fields of a class, its own and inherited ones, beside what Jackson writes and reads of it. */
public final class FieldsOfClass {
  /** Remedy for a field that would be lost, as errors name it. */
  public static final String RIGHT =
      "use a record, give the class a getter for the field or the field a @JsonProperty, let a"
          + " @JsonCreator take what a getter returns, or make the field transient if it may be"
          + " lost";

  /** Annotations by which a field that is no property says why. */
  private static final List<Class<? extends Annotation>> TOLD =
      List.of(
          JsonIgnore.class,
          JsonProperty.class,
          JsonBackReference.class,
          JsonUnwrapped.class,
          JacksonInject.class);

  private final Set<String> kept = new HashSet<>();
  private final Set<String> derived = new HashSet<>();
  private final Set<String> ignored = new HashSet<>();
  private final List<Field> fields = new ArrayList<>();
  private final boolean hasAnyGetter;

  /**
   * Creates the fields of a class.
   *
   * @param written how it is written
   * @param read how it is read
   * @param reader what reads it
   */
  public FieldsOfClass(BeanDescription written, BeanDescription read, BeanDeserializerBase reader) {
    for (BeanPropertyDefinition each : written.findProperties()) {
      if (!each.couldSerialize()) {
        continue;
      } else if (reader.findProperty(each.getName()) != null
          || each.getAccessor().hasAnnotation(JsonUnwrapped.class)) {
        kept.add(each.getInternalName());
      } else {
        derived.add(each.getName());
      }
    }
    List<?> unused = read.findProperties(); // which collects the names of the ignored ones
    ignored.addAll(read.getIgnoredPropertyNames());
    JsonIgnoreProperties names = written.getClassAnnotations().get(JsonIgnoreProperties.class);
    ignored.addAll(names == null ? List.of() : List.of(names.value()));
    hasAnyGetter = written.findAnyGetter() != null;
    Class<?> at = written.getBeanClass();
    while (at != null && !isOfJdk(at)) {
      for (Field field : at.getDeclaredFields()) {
        if (!field.isSynthetic()
            && (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
          fields.add(field);
        }
      }
      at = at.getSuperclass();
    }
  }

  /** Returns whether a class is one of the JDK. */
  public static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /** Returns the names of what getters return, and nothing reads. */
  public Set<String> derived() {
    return derived;
  }

  /**
   * Returns the first field that is not written, or not read, and not meant to be lost. A property
   * of another name than any field may stand for a field of another name than any property.
   */
  public Optional<Field> lost() {
    Set<String> others = new HashSet<>(kept);
    fields.forEach(each -> others.remove(each.getName()));
    return fields.stream()
        .filter(each -> !kept.contains(each.getName()) && !ignored.contains(each.getName()))
        .filter(each -> TOLD.stream().noneMatch(each::isAnnotationPresent))
        .filter(each -> !each.getType().isAnnotationPresent(JsonIgnoreType.class))
        .skip(others.size() + (hasAnyGetter ? 1 : 0))
        .findFirst();
  }
}
