package io.callboard.jobs.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Lock of what a row is made of. Who changes an expectation here raises {@link HandedRow#FORMAT}:
 * else rows of the earlier form are handed on from owner to owner, with what is masked by now.
 */
class HandedRowTest {
  @Test
  void theWrittenFormOfARowStaysTheSame() {
    List<String> command =
        List.of(
            "curl",
            "-H",
            "Authorization: Basic abc",
            "--token",
            "abc",
            "API_KEY=abc",
            "https://me:abc@host/",
            "{\"secret\": \"abc\"}",
            "é");
    Job job =
        SampleJobs.job(1, "process", JobState.QUEUED, 1, command, Map.of("b", "2", "a", "1=1"));
    byte[] text = RowText.of(job);
    assertThat(HandedRow.FORMAT).isEqualTo(2);
    assertThat(Arrays.copyOf(text, text.length - 11))
        .asString(UTF_8)
        .isEqualTo(
            "curl -H Authorization: [masked] --token [masked] API_KEY=[masked]"
                + " https://me:[masked]@host/ {\"secret\": [masked]} é");
    assertThat(RowText.sent(text)).endsWith("\u00ffa=1=1\u00ffb=2\u00ff");
    assertThat(HandedRow.class.getRecordComponents()).hasSize(10);
  }
}
