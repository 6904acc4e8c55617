package io.callboard.codecs;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The unit of ownership of durable actors.
 *
 * <p>A partition belongs to a <em>space</em>, the first segment of its actors' paths, so that
 * programs with different actors share one cell without owning each other's partitions. A role is a
 * partition of its own, of the space {@value #ROLES}: {@code /roles/<role>} and all below it.
 *
 * @param space the first segment of the paths
 * @param number below the cell's count of partitions; of a role, a hash of its name
 */
public record Partition(String space, int number) implements Comparable<Partition> {
  /** The space whose every second segment is a role. */
  public static final String ROLES = "roles";

  /**
   * Creates a partition.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public Partition {
    if (number < 0) {
      throw new IllegalArgumentException("a partition number is not negative: " + number);
    }
  }

  /** Returns the partition of {@code /roles/<role>} and of all below it. */
  public static Partition ofRole(String role) {
    return new Partition(ROLES, (int) (hash(role) >>> 1));
  }

  /**
   * Returns whether the partition belongs to one role, hence is not counted among the cell's
   * partitions.
   */
  public boolean isRole() {
    return space.equals(ROLES);
  }

  /** Returns the CRC-32C of the text as UTF-8. */
  static long hash(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  /** Returns {@code space~number}, as a partition is named in a store. */
  @Override
  public String toString() {
    return space + "~" + number;
  }

  /** Returns the partition of such a name, the inverse of {@link #toString()}. */
  public static Partition parse(String text) {
    int tilde = text.lastIndexOf('~');
    if (tilde < 1) {
      throw new IllegalArgumentException("\"" + text + "\" is not a partition: space~number");
    }
    return new Partition(text.substring(0, tilde), Integer.parseInt(text.substring(tilde + 1)));
  }

  @Override
  public int compareTo(Partition other) {
    int bySpace = space.compareTo(other.space);
    return bySpace != 0 ? bySpace : Integer.compare(number, other.number);
  }
}
