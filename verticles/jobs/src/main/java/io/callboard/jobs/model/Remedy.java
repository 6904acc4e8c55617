package io.callboard.jobs.model;

/**
 * Action that would end a {@link Blocked reason}, as data: whoever shows it says how it is done
 * there.
 *
 * @param action {@code create-type}, {@code resume-type}, {@code raise-limit}, {@code
 *     raise-label-limit}, {@code undrain}, {@code rerun} or {@code release}; a newer node may know
 *     more
 * @param subject name of the type, label or host, or id of the job
 */
public record Remedy(String action, String subject) {
  public static Remedy createType(String type) {
    return new Remedy("create-type", type);
  }

  public static Remedy resumeType(String type) {
    return new Remedy("resume-type", type);
  }

  public static Remedy raiseLimit(String type) {
    return new Remedy("raise-limit", type);
  }

  public static Remedy raiseLabelLimit(String label) {
    return new Remedy("raise-label-limit", label);
  }

  public static Remedy undrain(String host) {
    return new Remedy("undrain", host);
  }

  public static Remedy rerun(String job) {
    return new Remedy("rerun", job);
  }

  public static Remedy release(String job) {
    return new Remedy("release", job);
  }
}
