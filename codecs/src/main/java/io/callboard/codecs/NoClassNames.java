package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Validator that refuses types which distinguish their classes by class names, before one of them
 * is loaded. Names of the protocol's own ({@code @JsonTypeInfo(use = NAME)}) are no class names.
 */
final class NoClassNames extends PolymorphicTypeValidator.Base {
  static final String WHY = "no class is loaded by a name that was sent";

  private static final long serialVersionUID = 1L;

  @Override
  public Validity validateSubClassName(MapperConfig<?> config, JavaType baseType, String name) {
    return Validity.DENIED;
  }

  /** Returns whether {@code by} finds a class by its name. */
  static boolean isNeeded(@Nullable TypeDeserializer by) {
    return by != null && isNeeded(by.getTypeIdResolver().getMechanism());
  }

  static boolean isNeeded(JsonTypeInfo.Id names) {
    return names == JsonTypeInfo.Id.CLASS || names == JsonTypeInfo.Id.MINIMAL_CLASS;
  }

  /** Key deserializer that refuses classes as the keys of maps. */
  static final class Keys extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context)
        throws JsonMappingException {
      throw JsonMappingException.from(context, WHY);
    }
  }
}
