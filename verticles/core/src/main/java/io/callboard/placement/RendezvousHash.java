package io.callboard.placement;

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1996), weighted by the logarithmic method
 * (Schindelhauer and Schomaker, 2005): every name is scored with the key, the highest score has it.
 * So a name that comes takes its share from all others, one that goes leaves its share to all
 * others, and no other key moves.
 */
public final class RendezvousHash {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;
  private static final int FRACTION_BITS = 53;

  private RendezvousHash() {}

  /** Returns the hash of a name with a key, unsigned: all bits depend on all of both. */
  public static long of(String key, String name) {
    return mixed(fnv(fnv(OFFSET, key) * PRIME, name));
  }

  /**
   * Returns the score of a name that gets a share in proportion to its weight.
   *
   * @param weight over 0
   */
  public static double score(String key, String name, double weight) {
    double fraction =
        ((of(key, name) >>> (Long.SIZE - FRACTION_BITS)) + 0.5) / (1L << FRACTION_BITS);
    return -weight / Math.log(fraction);
  }

  /** Returns the FNV-1a hash of the characters. */
  private static long fnv(long from, String text) {
    long hash = from;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return hash;
  }

  /**
   * Mixes the bits such that each bit of the result depends on each bit of {@code hash}: the last
   * steps of MurmurHash3.
   */
  private static long mixed(long hash) {
    long bits = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    bits = (bits ^ (bits >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return bits ^ (bits >>> 33);
  }
}
