package io.callboard.archive;

/** Rule for the JDBC URL of an archive's database. Creates no logger, so commands check early. */
public final class ArchiveUrl {
  private ArchiveUrl() {}

  /**
   * Returns a URL that is one of a database that can hold an archive, without connecting to it.
   *
   * @throws IllegalArgumentException if it is not; the message says how it must begin
   */
  public static String checked(String url) {
    if (!url.startsWith("jdbc:postgresql:") && !url.startsWith("jdbc:h2:")) {
      throw new IllegalArgumentException("the URL must begin with jdbc:postgresql: or jdbc:h2:");
    }
    return url;
  }
}
