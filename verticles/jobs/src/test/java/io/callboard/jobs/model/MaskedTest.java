package io.callboard.jobs.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "mysql --password=s3cret -h db | mysql --password=[masked] -h db",
        "mysql --password s3cret -h db | mysql --password [masked] -h db",
        "PGPASSWORD=s3cret psql -c 'select 1' | PGPASSWORD=[masked] psql -c 'select 1'",
        "MYSQL_PWD='s3 cret' mysql | MYSQL_PWD=[masked] mysql",
        "-Ddb.password=s3cret | -Ddb.password=[masked]",
        "curl https://ann:s3cret@example.org/x | curl https://ann:[masked]@example.org/x",
        "redis://:s3cret@cache:6379 | redis://:[masked]@cache:6379",
        "https://example.org/?token=s3cret&page=2 | https://example.org/?token=[masked]&page=2",
        "curl -H 'Authorization: Bearer s3cret' x | curl -H 'Authorization: [masked]' x",
        "X-Api-Key: s3cret | X-Api-Key: [masked]",
        "{\"user\":\"ann\",\"apiKey\":\"s3cret\"} | {\"user\":\"ann\",\"apiKey\":[masked]}",
        "AWS_SECRET_ACCESS_KEY=s3cret | AWS_SECRET_ACCESS_KEY=[masked]",
      })
  void secretsInTextAreMaskedAndNothingElse(String text, String masked) {
    assertThat(Masked.text(text)).isEqualTo(masked);
    assertThat(Masked.text(masked)).as("once more").isEqualTo(masked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo hi",
        "--password-file=/run/secrets/db",
        "--password-file /run/secrets/db",
        "--max-tokens=5",
        "the token is old",
        "https://registry.example.org:443/@scope/package",
        "https://ann@example.org/x",
        "compass=north",
        "--keys=a,b",
        "--monkey=1",
      })
  void aTextWithoutSecretsStaysUnchanged(String text) {
    assertThat(Masked.text(text)).isEqualTo(text);
    assertThat(Masked.command(List.of("run", text, "plain"))).containsExactly("run", text, "plain");
  }

  @Test
  void theArgumentAfterTheNameOfASecretIsMasked() {
    assertThat(Masked.command(List.of("run", "--token", "s3 cret", "--verbose")))
        .containsExactly("run", "--token", "[masked]", "--verbose");
    assertThat(Masked.command(List.of("run", "--token", "--verbose", "x")))
        .containsExactly("run", "--token", "--verbose", "x");
    assertThat(Masked.command(List.of("run", "--password=a b;c", "x")))
        .containsExactly("run", "--password=[masked]", "x");
  }

  @Test
  void aJobIsMaskedWhoeverWroteIt() {
    Job job =
        new Job(
            "id",
            "process",
            JobState.QUEUED,
            5,
            List.of("run", "--token", "s3cret"),
            Instant.EPOCH,
            null,
            null,
            null,
            List.of(),
            Map.of(),
            null,
            null,
            1);
    assertThat(job.command()).containsExactly("run", "--token", Masked.VALUE);
    String old = new String(Json.uncheckedBytes(job), StandardCharsets.UTF_8);
    String ofOlderNode = old.replace(Masked.VALUE, "s3cret");
    assertThat(ofOlderNode).isNotEqualTo(old);
    assertThat(Json.read("a job", ofOlderNode.getBytes(StandardCharsets.UTF_8), Job.class))
        .isEqualTo(job);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "password", "-password ", "x-keyx-", "://", "://a", "secret=\"", "cookie"})
  @Timeout(300)
  void timeGrowsWithTheTextOnly(String part) {
    assertThat(Masked.text("token" + part.repeat((1 << 20) / part.length()))).isNotEmpty();
  }
}
