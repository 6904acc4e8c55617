package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Type resolver that writes no object whose class its {@link JsonTypeInfo} could not read back:
 * Jackson would write it under a name that it makes up, and that no reader knows.
 */
final class NamedSubtypes extends StdTypeResolverBuilder {
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
