package io.callboard.testkit.compat;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of a lock file: one line for each type and each field, all sorted. */
final class LockFile {
  private static final String FORMAT = "format 1";

  private static final String HEAD =
      """
      # What is stored and sent: logical names, versions, and the fields of their JSON.
      # A test compares it (ProtocolLock). After a change that is meant, run that test with
      # -Dcallboard.lock=update, which rewrites this file, and commit it.
      """
          + FORMAT
          + "\n";

  private static final Pattern PROTOCOL = Pattern.compile("protocol (\\S+)");
  private static final Pattern TYPE =
      Pattern.compile("  type (\\S+) version (\\d{1,9})((?: formerly \\S+)*)");
  private static final Pattern UPCAST = Pattern.compile("  upcast (\\S+)");
  private static final Pattern FIELD = Pattern.compile("    (\\S.*): (.+)");

  private final SortedMap<String, ProtocolShape> protocols = new TreeMap<>();
  private SortedSet<String> upcast = new TreeSet<>();
  private SortedMap<String, TypeShape> types = new TreeMap<>();
  private SortedMap<String, String> fields = new TreeMap<>();
  private boolean known;

  private LockFile() {}

  static String write(SortedMap<String, ProtocolShape> protocols) {
    StringBuilder text = new StringBuilder(HEAD);
    for (ProtocolShape protocol : protocols.values()) {
      text.append("\nprotocol ").append(name(protocol.name())).append('\n');
      protocol.upcast().forEach(gone -> text.append("  upcast ").append(name(gone)).append('\n'));
      for (TypeShape type : protocol.types().values()) {
        text.append("  type %s version %d".formatted(name(type.name()), type.version()));
        type.formerly().forEach(former -> text.append(" formerly ").append(name(former)));
        text.append('\n');
        type.fields()
            .forEach(
                (path, shape) ->
                    text.append("    ").append(path).append(": ").append(shape).append('\n'));
      }
    }
    return text.toString();
  }

  private static String name(String name) {
    if (!name.matches("\\S+")) {
      throw new IllegalArgumentException(
          "the logical name \"%s\" contains white space, which a lock file cannot hold"
              .formatted(name));
    }
    return name;
  }

  /**
   * Reads a lock file.
   *
   * @throws IllegalArgumentException if it is no such file; the message names the line
   */
  static SortedMap<String, ProtocolShape> read(String text) {
    LockFile file = new LockFile();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#") && !file.take(line)) {
        throw new IllegalArgumentException(
            "line %d is not of a lock file that this version reads (%s): %s"
                .formatted(i + 1, FORMAT, line));
      }
    }
    return file.protocols;
  }

  /** Returns whether that line is valid at this place. */
  private boolean take(String line) {
    if (!known) {
      known = line.equals(FORMAT);
      return known;
    }
    Matcher protocol = PROTOCOL.matcher(line);
    Matcher gone = UPCAST.matcher(line);
    Matcher type = TYPE.matcher(line);
    Matcher field = FIELD.matcher(line);
    if (protocol.matches()) {
      types = new TreeMap<>();
      upcast = new TreeSet<>();
      protocols.put(protocol.group(1), new ProtocolShape(protocol.group(1), types, upcast));
      return true;
    } else if (gone.matches() && !protocols.isEmpty()) {
      upcast.add(gone.group(1));
      return true;
    } else if (type.matches() && !protocols.isEmpty()) {
      fields = new TreeMap<>();
      String name = type.group(1);
      List<String> formerly =
          Arrays.stream(type.group(3).split(" formerly ")).filter(n -> !n.isEmpty()).toList();
      types.put(name, new TypeShape(name, Integer.parseInt(type.group(2)), formerly, fields));
      return true;
    } else if (field.matches() && !types.isEmpty()) {
      fields.put(field.group(1), field.group(2));
      return true;
    }
    return false;
  }
}
