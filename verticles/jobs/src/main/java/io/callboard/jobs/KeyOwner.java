package io.callboard.jobs;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Owner of keys of jobs: each has a prefix of its own, which users do not have. */
enum KeyOwner {
  /** Users, whose keys have any other prefix. */
  USERS(""),
  /** Steps of workflows. */
  STEPS("workflow/"),
  /** Messages of sources; users may submit messages, too. */
  MESSAGES("source/");

  private final String prefix;

  KeyOwner(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns why a key is refused, as it has the prefix of another owner; empty if it has not.
   *
   * @param kind kind of the key, for people
   */
  Optional<String> refusal(String kind, @Nullable String key) {
    return Arrays.stream(values())
        .filter(each -> each != USERS && each != this && key != null)
        .filter(each -> key.startsWith(each.prefix))
        .findFirst()
        .map(
            each ->
                "the %s key \"%.200s\" begins with %s, as only keys of %s do: give it another begin"
                    .formatted(
                        kind,
                        key,
                        each.prefix,
                        each == STEPS ? "steps of workflows" : "messages of sources"));
  }
}
