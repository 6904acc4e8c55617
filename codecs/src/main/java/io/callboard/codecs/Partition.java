package io.callboard.codecs;

/**
 * The unit of ownership of durable actors.
 *
 * <p>A partition belongs to a <em>space</em>, the first segment of its actors' paths, so that
 * programs with different actors share one cell without owning each other's partitions.
 *
 * @param space the first segment of the paths
 * @param number below the cell's count of partitions
 */
public record Partition(String space, int number) implements Comparable<Partition> {
  public Partition {
    if (number < 0) {
      throw new IllegalArgumentException("a partition number is not negative: " + number);
    }
  }

  /** {@code space~number}: how a partition is named in a store. */
  @Override
  public String toString() {
    return space + "~" + number;
  }

  /** The inverse of {@link #toString()}. */
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
