package io.callboard.jobs.internal.gate;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Questions of one kind to hosts, by subject: how often each was asked, when it is asked again, and
 * its answer. A pause between two questions doubles from two seconds to a minute, with jitter;
 * after {@link #MOST} questions without an answer no more are asked until the subject is new.
 */
@Machine
final class HostQuestions {
  /** Number of unanswered questions from which on the silence has a consequence. */
  static final int ENOUGH = 3;

  /** Maximum number of questions without an answer. */
  static final int MOST = 12;

  /** Pause after which an answered question is asked again, while its subject stays. */
  static final Duration LATER = Duration.ofMinutes(5);

  private static final ExponentialBackoff PAUSE =
      Backoff.exponential(Duration.ofSeconds(2), Duration.ofMinutes(1));

  private final Map<String, Question> open = new HashMap<>();

  /**
   * Question about one subject.
   *
   * @param asked how often it was asked since the last answer
   * @param firstNs when it was asked first, since the last answer
   * @param lastAt when it was asked last, for people
   * @param dueNs when it is asked again
   * @param answer last answer, in words; null if there is none yet
   */
  record Question(int asked, long firstNs, Instant lastAt, long dueNs, @Nullable String answer) {
    /** Returns whether the question was repeated often enough without an answer. */
    boolean isUnanswered() {
      return asked >= ENOUGH;
    }

    /** Returns, in words, how often the question was asked in vain, and when last. */
    String words() {
      return "asked %s, last at %s, without an answer"
          .formatted(asked == 1 ? "once" : asked + " times", lastAt);
    }

    private boolean isDue(long nowNs) {
      return asked < MOST && nowNs - dueNs >= 0;
    }
  }

  /**
   * Asks about those subjects that are due, and forgets all others.
   *
   * @param subjects all there is to ask about
   * @return those to ask about now
   */
  List<String> ask(
      Set<String> subjects, Instant now, long nowNs, int most, RandomGenerator random) {
    open.keySet().retainAll(subjects);
    List<String> due = new ArrayList<>();
    for (String subject : subjects) {
      Question known = open.get(subject);
      if (due.size() < most && (known == null || known.isDue(nowNs))) {
        due.add(subject);
        int asked = known == null ? 1 : known.asked() + 1;
        long firstNs = known == null || known.asked() == 0 ? nowNs : known.firstNs();
        long dueNs = nowNs + PAUSE.delay(asked, random).toNanos();
        String answer = known == null ? null : known.answer();
        open.put(subject, new Question(asked, firstNs, now, dueNs, answer));
      }
    }
    return due;
  }

  /**
   * Processes an answer; ignored if nobody waits for it.
   *
   * @return whether it says something else than the one before
   */
  boolean answered(String subject, String answer, long nowNs) {
    Question known = open.get(subject);
    if (known == null) {
      return false;
    }
    long dueNs = nowNs + LATER.toNanos();
    open.put(subject, new Question(0, nowNs, known.lastAt(), dueNs, answer));
    return !answer.equals(known.answer());
  }

  /** Forgets a subject. */
  void forget(String subject) {
    open.remove(subject);
  }

  /** Returns the question about a subject; empty if none was asked. */
  Optional<Question> of(String subject) {
    return Optional.ofNullable(open.get(subject));
  }
}
