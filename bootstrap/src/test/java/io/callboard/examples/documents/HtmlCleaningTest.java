package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.documents.HtmlCleaning.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlCleaningTest {
  @TempDir Path directory;

  @Test
  void theTextStaysAndTheRestGoes() {
    Page page =
        HtmlCleaning.clean(
            """
            <html><head><title>A &amp; B</title><style>p {}</style></head><body>
            <nav><p>menu</p></nav><h1>Head</h1><p>One <b>two</b>
            three.</p><script>four</script><ul><li><p>five</p></li><li>six</li></ul></body></html>
            """);
    assertThat(page.title()).isEqualTo("A & B");
    assertThat(page.text()).isEqualTo("Head\nOne two three.\nfive\nsix");
  }

  @Test
  void textWithoutBlocksIsText() {
    assertThat(HtmlCleaning.clean("a <i>b</i> c < d").text()).isEqualTo("a b c < d");
    assertThat(HtmlCleaning.clean("")).isEqualTo(new Page("", "", List.of()));
  }

  @Test
  void onlyRelativeLinksAreKeptEachOnce() {
    Page page =
        HtmlCleaning.clean(
            "<a href='b.html#x'>1</a><a href='b.html'>2</a><a href='https://example.com/c'>3</a>"
                + "<a href='#top'>4</a><a href='//host/d'>5</a><a href='a b|c'>6</a><a>7</a>");
    assertThat(page.links()).containsExactly("b.html");
  }

  @Test
  void deadLinksAreThoseThatLeadToNoFile() throws Exception {
    Files.createDirectories(directory.resolve("sub"));
    Files.writeString(directory.resolve("sub/there.html"), "");
    assertThat(
            LinkCheck.dead(
                directory.resolve("page.html"),
                List.of("sub/there.html?x=1", "sub/gone.html", "page\0.html")))
        .containsExactly("sub/gone.html", "page\0.html");
  }
}
