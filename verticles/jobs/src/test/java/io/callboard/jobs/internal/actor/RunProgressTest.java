package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions about one run's files, second by second. */
class RunProgressTest {
  private static final Instant START = Instant.parse("2026-11-25T10:00:00Z");
  private static final FileContent GIVEN = content("row 1");

  private final RunProgress run =
      new RunProgress(1, Duration.ofSeconds(10), GIVEN, START, nanos(0));

  private static FileContent content(String text) {
    return FileContent.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static long nanos(int second) {
    return Duration.ofSeconds(second).toNanos() - 77;
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  private static FileStamp stamp(int written) {
    return new FileStamp("inode", 5, FileTime.from(at(written)));
  }

  private static FileLook file(int written, String text) {
    return new FileLook(stamp(written), content(text), null);
  }

  private static FileLook same(@Nullable FileStamp stamp) {
    return new FileLook(stamp, null, null);
  }

  private Optional<JobCommand> look(int second, FileLook progress, FileLook checkpoint) {
    run.saw(progress, checkpoint, at(second), nanos(second));
    return run.next(at(second), nanos(second));
  }

  private Optional<JobCommand> nothingNew(int second) {
    return look(second, same(run.progress()), same(run.checkpoint()));
  }

  private void sent(int second) {
    run.sent(true, nanos(second));
  }

  @Test
  void progressIsReportedAtOnceThenAtIntervalsAndNeverLost() {
    assertThat(look(1, file(1, "1 %"), FileLook.NONE))
        .contains(new JobCommand.Progressed(1, "1 %", at(1)));
    sent(1);
    assertThat(look(2, file(2, "2 %"), FileLook.NONE)).isEmpty();
    assertThat(look(3, file(3, "3 %"), FileLook.NONE)).isEmpty();
    assertThat(nothingNew(6)).contains(new JobCommand.Progressed(1, "3 %", at(6)));
    sent(6);
    assertThat(nothingNew(12)).isEmpty();
  }

  @Test
  void aStallIsReportedOnceAndItsEndAtOnce() {
    assertThat(nothingNew(9)).isEmpty();
    assertThat(nothingNew(10)).contains(new JobCommand.Stalled(1, START));
    sent(10);
    assertThat(nothingNew(11)).isEmpty();
    assertThat(look(12, file(12, "on"), FileLook.NONE))
        .contains(new JobCommand.Progressed(1, "on", at(12)));
    sent(12);
    assertThat(nothingNew(21)).isEmpty();
    assertThat(nothingNew(22)).contains(new JobCommand.Stalled(1, at(12)));
  }

  @Test
  void aCheckpointIsProgressToo() {
    assertThat(look(9, FileLook.NONE, file(9, "row 2")))
        .contains(
            new JobCommand.Wrote(
                1, new RunOutput(null, content("row 2"), null, null, List.of()), at(9)));
    sent(9);
    assertThat(nothingNew(18)).isEmpty();
    assertThat(nothingNew(19)).contains(new JobCommand.Stalled(1, at(9)));
  }

  @Test
  void theFirstCheckpointIsReportedAtOnce() {
    assertThat(look(1, file(1, "1 %"), FileLook.NONE)).isPresent();
    sent(1);
    RunOutput first = new RunOutput(null, content("row 2"), null, null, List.of());
    assertThat(look(2, FileLook.NONE, file(2, "row 2")))
        .contains(new JobCommand.Wrote(1, first, at(2)));
    sent(2);
    assertThat(look(3, FileLook.NONE, file(3, "row 3"))).isEmpty();
    RunOutput second = new RunOutput(null, content("row 3"), null, null, List.of());
    assertThat(nothingNew(7)).contains(new JobCommand.Wrote(1, second, at(7)));
  }

  @Test
  void theCheckpointOfTheLastRunIsNeitherReportedNorProgress() {
    assertThat(look(1, FileLook.NONE, new FileLook(stamp(0), GIVEN, null))).isEmpty();
    assertThat(nothingNew(10)).contains(new JobCommand.Stalled(1, START));
  }

  @Test
  void aReportThatCouldNotBeSentIsSentAgain() {
    Optional<JobCommand> first = look(1, file(1, "1 %"), FileLook.NONE);
    assertThat(nothingNew(2)).as("it is under way").isEqualTo(first);
    run.sent(false, nanos(2));
    assertThat(nothingNew(3)).contains(new JobCommand.Progressed(1, "1 %", at(3)));
  }

  @Test
  void aStallThatCouldNotBeSentIsSentAgain() {
    assertThat(nothingNew(10)).isPresent();
    run.sent(false, nanos(10));
    assertThat(nothingNew(11)).contains(new JobCommand.Stalled(1, START));
  }

  @Test
  void aRefusedValueIsReportedOnce() {
    FileLook refused = new FileLook(stamp(1), null, "too large");
    assertThat(look(1, FileLook.NONE, refused))
        .contains(
            new JobCommand.Wrote(
                1, new RunOutput(null, null, null, null, List.of("too large")), at(1)));
    sent(1);
    assertThat(look(9, FileLook.NONE, same(stamp(1)))).isEmpty();
  }

  @Test
  void progressWrittenDuringAReportIsReportedNext() {
    assertThat(look(1, FileLook.NONE, file(1, "row 2"))).isPresent();
    run.saw(FileLook.NONE, file(2, "row 3"), at(2), nanos(2));
    sent(2);
    assertThat(run.unreported(new RunOutput(null, content("row 2"), null, null, List.of())))
        .isEqualTo(RunOutput.NONE);
    assertThat(nothingNew(7))
        .contains(
            new JobCommand.Wrote(
                1, new RunOutput(null, content("row 3"), null, null, List.of()), at(7)));
  }

  @Test
  void withoutATimeoutNothingStalls() {
    RunProgress free = new RunProgress(1, null, null, START, nanos(0));
    free.saw(FileLook.NONE, FileLook.NONE, at(9_999), nanos(9_999));
    assertThat(free.next(at(9_999), nanos(9_999))).isEmpty();
  }
}
