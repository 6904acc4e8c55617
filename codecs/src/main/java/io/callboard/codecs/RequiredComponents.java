package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
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
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
}
