package io.callboard.bootstrap.client;

import io.callboard.dashboard.internal.contract.IsoText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times of the command line, read as strictly as the node reads them, and its durations. */
final class IsoArguments {
  private IsoArguments() {}

  /** Adds a duration to those of a request, if it is given. */
  static void putIfGiven(Map<String, Duration> durations, String name, @Nullable Duration given) {
    if (given != null) {
      durations.put(name, given);
    }
  }

  /** Converter of times of RFC 3339. */
  static final class Moment implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return IsoText.time(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
