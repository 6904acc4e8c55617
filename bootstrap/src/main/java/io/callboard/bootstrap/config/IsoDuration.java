package io.callboard.bootstrap.config;

import io.callboard.dashboard.internal.contract.IsoText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converter of durations of command lines and the configuration: ISO 8601, as strictly as REST
 * reads them.
 */
public final class IsoDuration implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    try {
      return IsoText.duration(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "'%s' is not a duration: write it as ISO 8601, for example PT10S".formatted(value));
    }
  }
}
