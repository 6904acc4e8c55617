package io.callboard.bootstrap;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of ISO 8601 durations of the command line and the configuration. */
final class IsoDuration implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    try {
      return Duration.parse(value);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'%s' is not a duration: write it as ISO 8601, for example PT10S".formatted(value));
    }
  }
}
