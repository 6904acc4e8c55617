package io.callboard.pollers.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OutboxTableTest {
  @Test
  void theGuideShowsTheStatementsThatMakeTheTable() throws IOException {
    String guide = Files.readString(Path.of("../../bootstrap/docs/guides/sources.md"));
    assertThat(guide).contains("```sql\n" + new OutboxTable("callboard_outbox").create() + "```");
  }
}
