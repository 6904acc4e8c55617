package io.callboard.examples.articles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArticlesTest {
  @TempDir Path directory;

  private Path document(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void textsBecomePagesAndComeAgain() throws Exception {
    List<Path> documents =
        List.of(
            document("a note.txt", "A < B\n\nFirst.\nSame.\n\nSecond."),
            Files.write(directory.resolve("scan.txt"), new byte[] {0, 1}),
            document("page.html", "<html><title>Page</title></html>"));
    Path site = directory.resolve("site");
    assertThat(Articles.write(site, documents, 3))
        .containsExactly("0001-a-note", "0002-page", "0003-a-note");
    assertThat(Files.readString(site.resolve("0001-a-note.html")))
        .contains("<title>A &lt; B</title>", "<p>First. Same.</p>", "<p>Second.</p>");
    assertThat(Files.readString(site.resolve("0002-page.html")))
        .isEqualTo("<html><title>Page</title></html>");
  }

  @Test
  void withoutATextThereIsNoArticle() throws Exception {
    Path scan = Files.write(directory.resolve("scan.txt"), new byte[] {0, 1});
    assertThatThrownBy(() -> Articles.write(directory.resolve("site"), List.of(scan), 3))
        .isInstanceOf(IOException.class)
        .hasMessage("none of 1 documents is a text");
  }

  @Test
  void anEditionGoesOnUntilItIsAtItsEnd() throws Exception {
    Path index = Files.createDirectories(directory.resolve("index"));
    Path old = Files.createFile(index.resolve("old"));
    Edition first = Edition.open(directory, index, 17);
    assertThat(old).doesNotExist();
    first.published("0001-a");
    Edition again = Edition.open(directory, index, 18);
    assertThat(again.message("0001-a")).isEqualTo("17-0001-a");
    assertThat(again.isPublished("0001-a")).isTrue();
    assertThat(again.isPublished("0002-b")).isFalse();
    again.end();
    Edition next = Edition.open(directory, index, 19);
    assertThat(next.message("0001-a")).isEqualTo("19-0001-a");
    assertThat(next.isPublished("0001-a")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"directory, ''", "kafka, 127.0.0.1:9092", "redis-stream, redis://127.0.0.1:6379"})
  void eachKindHasASourceThatSends(String kind, String url) {
    SourceConfig config = ArticleSource.of(kind).options(directory, url).sources().get(0);
    assertThat(config.name()).isEqualTo(ArticleSource.NAME);
    assertThat(config.kind()).isEqualTo(kind);
    assertThat(config.target().words()).isEqualTo("workflow " + ArticleWorkflow.NAME);
  }

  @Test
  void aWrongAddressIsNamed() {
    assertThatThrownBy(() -> ArticleSource.REDIS_STREAM.options(directory, "localhost"))
        .isInstanceOfSatisfying(
            PollersException.class,
            refused -> assertThat(refused.defects().get(0).pointer()).contains("settings/url"));
    assertThatThrownBy(() -> ArticleSource.of("redis"))
        .hasMessage(
            "there is no \"redis\" for articles; there are [directory, kafka, redis-stream]");
  }
}
