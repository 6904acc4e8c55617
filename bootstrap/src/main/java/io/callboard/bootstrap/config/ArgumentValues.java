package io.callboard.bootstrap.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers and paths in arguments and options; whoever gives something else reads what is accepted.
 */
public final class ArgumentValues {
  private ArgumentValues() {}

  /** Makes a command and its subcommands read them in this way. */
  public static void registerIn(CommandLine command) {
    // one for both: of two from the same method JDK 17 crashes as it archives its classes
    ITypeConverter<Double> number = ArgumentValues::number;
    command
        .registerConverter(
            int.class, text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValueExact())
        .registerConverter(
            Integer.class,
            text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValueExact())
        .registerConverter(
            long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE).longValueExact())
        .registerConverter(
            Long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE).longValueExact())
        .registerConverter(double.class, number)
        .registerConverter(Double.class, number)
        .registerConverter(Path.class, ArgumentValues::path);
  }

  private static Path path(String text) {
    if (text.isEmpty()) { // which Java takes for the working directory
      throw new TypeConversionException(
          "'' is no path: it is empty; name a file or directory, such as ./data");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(wrongPath(text, e.getReason()));
    }
  }

  /**
   * Returns what is wrong with a path.
   *
   * @param reason as Java gives it
   */
  static String wrongPath(String text, String reason) {
    return reason.contains("unmappable")
        ? "'%s' has characters that are not in the encoding of this locale: start it with LC_ALL=C.UTF-8"
            .formatted(text)
        : "'%s' is no path: %s".formatted(text, reason);
  }

  private static BigInteger whole(String text, long least, long most) {
    BigInteger number;
    try {
      number = new BigInteger(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'%s' is not a whole number".formatted(text));
    }
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw new TypeConversionException(
          "'%s' is not a whole number from %d to %d".formatted(text, least, most));
    }
    return number;
  }

  private static double number(String text) {
    try {
      return new BigDecimal(text).doubleValue();
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'%s' is not a number".formatted(text));
    }
  }
}
