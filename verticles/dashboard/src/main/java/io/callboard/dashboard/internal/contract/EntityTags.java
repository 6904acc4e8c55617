package io.callboard.dashboard.internal.contract;

import io.callboard.codecs.internal.text.Digest;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Entity tags of RFC 9110. Pure. */
public final class EntityTags {
  private EntityTags() {}

  /** Returns the entity tag of an object whose version grows with each change. */
  public static String ofVersion(long version) {
    return "\"v" + version + "\"";
  }

  /** Returns the entity tag of a content. */
  public static String ofContent(Buffer content) {
    return '"' + Digest.of(content.getBytes()).substring(0, 24) + '"';
  }

  /**
   * Returns whether {@code tag} is among those of the client, by strong comparison.
   *
   * @param ifMatch value of the header
   */
  public static boolean isSame(String ifMatch, String tag) {
    for (String given : ifMatch.split(",", -1)) {
      if (given.strip().equals("*") || given.strip().equals(tag)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether {@code tag} is among those of the client, by weak comparison.
   *
   * @param ifNoneMatch value of the header; null if there is none
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
