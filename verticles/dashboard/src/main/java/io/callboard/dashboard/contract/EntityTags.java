package io.callboard.dashboard.contract;

import org.jspecify.annotations.Nullable;

/** Entity tags of RFC 9110. Pure. */
public final class EntityTags {
  private EntityTags() {}

  /** Of a thing whose version grows with each change. */
  public static String ofVersion(long version) {
    return "\"v" + version + "\"";
  }

  /**
   * Whether {@code tag} is among those that the client has, by weak comparison.
   *
   * @param ifNoneMatch the header; null if there is none
   */
  public static boolean match(@Nullable String ifNoneMatch, String tag) {
    if (ifNoneMatch == null) {
      return false;
    }
    for (String given : ifNoneMatch.split(",", -1)) {
      String candidate = given.strip();
      if (candidate.equals("*") || bare(candidate).equals(bare(tag))) {
        return true;
      }
    }
    return false;
  }

  private static String bare(String tag) {
    return tag.startsWith("W/") ? tag.substring(2) : tag;
  }
}
