package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Annotation introspector by which Jackson requires the components of records, unless they may be
 * null ({@link Nullability}): on read neither missing nor null, on write not null. This is
 * determined once for each type, when its (de)serializer is built; a value that is whole costs
 * nothing more.
 *
 * <p>Of types with {@link JsonTypeInfo} only objects are written that can be read ({@link
 * NamedSubtypes}).
 *
 * <p>A {@link JsonNode} must be there, but may be JSON's null. Records with a {@code JsonCreator}
 * of their own say themselves what they need.
 */
final class RequiredComponents extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  /**
   * Returns the component that a parameter of a canonical constructor stands for, if it is
   * required.
   */
  private static Optional<RecordComponent> required(Annotated annotated) {
    if (!(annotated instanceof AnnotatedParameter parameter)
        || !(parameter.getOwner() instanceof AnnotatedConstructor constructor)) {
      return Optional.empty();
    }
    RecordComponent[] components = constructor.getDeclaringClass().getRecordComponents();
    if (components == null || !isCanonical(constructor, components)) {
      return Optional.empty();
    }
    RecordComponent component = components[parameter.getIndex()];
    return Nullability.mayBeNull(component) ? Optional.empty() : Optional.of(component);
  }

  private static boolean isCanonical(AnnotatedConstructor constructor, RecordComponent[] all) {
    Class<?>[] types = Arrays.stream(all).map(RecordComponent::getType).toArray(Class<?>[]::new);
    return Arrays.equals(constructor.getAnnotated().getParameterTypes(), types);
  }

  private static boolean isJson(RecordComponent component) {
    return component.getType() == JsonNode.class;
  }

  @Override
  public JsonSetter.Value findSetterInfo(Annotated annotated) {
    JsonSetter.Value found = super.findSetterInfo(annotated);
    return required(annotated).filter(each -> !isJson(each)).isPresent()
        ? found.withValueNulls(Nulls.FAIL)
        : found;
  }

  @Override
  public @Nullable Object findDeserializer(Annotated annotated) {
    return required(annotated).filter(RequiredComponents::isJson).isPresent()
        ? new AnyJson()
        : super.findDeserializer(annotated);
  }

  @Override
  protected TypeResolverBuilder<?> _constructStdTypeResolverBuilder(
      MapperConfig<?> config, JsonTypeInfo.Value info, JavaType type) {
    return new NamedSubtypes(info);
  }

  /** Null is a value; none is not. */
  private static final class AnyJson extends StdDeserializer<JsonNode> {
    private static final long serialVersionUID = 1L;

    AnyJson() {
      super(JsonNode.class);
    }

    @Override
    public JsonNode deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return context.readTree(parser);
    }

    @Override
    public JsonNode getNullValue(DeserializationContext context) {
      return context.getNodeFactory().nullNode();
    }

    @Override
    public Object getAbsentValue(DeserializationContext context) throws JsonMappingException {
      throw InvalidNullException.from(context, null, getValueType(context));
    }
  }

  /** The other way: what could not be read again is not written. */
  static final class Written extends BeanSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
        SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> properties) {
      RecordComponent[] components = bean.getBeanClass().getRecordComponents();
      if (components != null) {
        for (BeanPropertyWriter property : properties) {
          Arrays.stream(components)
              .filter(each -> each.getName().equals(property.getMember().getName()))
              .filter(each -> !Nullability.mayBeNull(each))
              .forEach(each -> property.assignNullSerializer(new Refused(each)));
        }
      }
      return properties;
    }
  }

  /** Called for nulls only. */
  private static final class Refused extends JsonSerializer<Object> {
    private final String what;

    Refused(RecordComponent component) {
      what =
          "%s of %s is null, but not @Nullable"
              .formatted(component.getName(), component.getDeclaringRecord().getSimpleName());
    }

    @Override
    public void serialize(
        @Nullable Object none, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      throw JsonMappingException.from(provider, what);
    }
  }

  /**
   * Type resolver that writes no object whose class its {@link JsonTypeInfo} could not read back:
   * Jackson would write it under a name that it makes up, and that no reader knows.
   */
  private static final class NamedSubtypes extends StdTypeResolverBuilder {
    NamedSubtypes(JsonTypeInfo.Value settings) {
      super(settings);
    }

    private NamedSubtypes(NamedSubtypes base, Class<?> defaultImpl) {
      super(base, defaultImpl);
    }

    @Override
    public StdTypeResolverBuilder withDefaultImpl(Class<?> defaultImpl) {
      return _defaultImpl == defaultImpl ? this : new NamedSubtypes(this, defaultImpl);
    }

    @Override
    protected TypeIdResolver idResolver(
        MapperConfig<?> config,
        JavaType type,
        PolymorphicTypeValidator validator,
        Collection<NamedType> subtypes,
        boolean writes,
        boolean reads) {
      TypeIdResolver made = super.idResolver(config, type, validator, subtypes, writes, reads);
      return writes && _customIdResolver == null && !NoClassNames.isNeeded(_idType)
          ? new Written(type, made, subtypes)
          : made;
    }

    /** Resolver of the names of objects that are written. */
    private static final class Written extends TypeIdResolverBase {
      private final JavaType type;
      private final TypeIdResolver names;
      private final Set<Class<?>> known = new HashSet<>();

      Written(JavaType type, TypeIdResolver names, Collection<NamedType> subtypes) {
        super(type, null);
        this.type = type;
        this.names = names;
        subtypes.forEach(each -> known.add(each.getType()));
      }

      private void check(Class<?> written) {
        if (!known.contains(written)) {
          throw new IllegalArgumentException(
              "a %s could not be read back: @JsonSubTypes of %s do not name it"
                  .formatted(written.getName(), type.getRawClass().getName()));
        }
      }

      @Override
      public String idFromValue(Object value) {
        check(value.getClass());
        return names.idFromValue(value);
      }

      @Override
      public String idFromValueAndType(@Nullable Object value, Class<?> suggested) {
        check(value == null ? suggested : value.getClass());
        return names.idFromValueAndType(value, suggested);
      }

      @Override
      public JavaType typeFromId(DatabindContext context, String id) throws IOException {
        return names.typeFromId(context, id);
      }

      @Override
      public JsonTypeInfo.Id getMechanism() {
        return names.getMechanism();
      }
    }
  }
}
