package io.callboard.jobs.internal.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is said of files that cannot be used: what is wrong comes before the path. */
class RunExceptionTest {
  private static final Path LOG = Path.of("/data/runs/01a2/1");

  private static String said(Throwable cause) {
    return String.valueOf(RunException.directory("create", LOG, cause).getMessage());
  }

  @Test
  void theMessageHasTheFaultBeforeThePath() {
    assertThat(said(new IOException("File too large")))
        .isEqualTo("File too large: cannot create " + LOG);
    assertThat(said(new FileSystemException("/data/x", null, "No space left on device")))
        .isEqualTo("No space left on device: cannot create " + LOG + " (/data/x)");
  }

  @Test
  void aFaultThatOnlyAClassNamesIsPutIntoWords() {
    assertThat(said(new AccessDeniedException("/data/x")))
        .isEqualTo("access denied: cannot create " + LOG + " (/data/x)");
    assertThat(said(new NoSuchFileException(LOG.toString())))
        .isEqualTo("no such file: cannot create " + LOG);
    assertThat(said(new MalformedInputException(1)))
        .startsWith("java.nio.charset.MalformedInputException: Input length = 1: cannot create");
  }

  @Test
  void anUnknownExceptionIsShownWithItsClass() {
    assertThat(said(new FileSystemException("/data/x")))
        .isEqualTo(
            "java.nio.file.FileSystemException: /data/x: cannot create " + LOG + " (/data/x)");
    assertThat(said(new IllegalStateException("closed")))
        .isEqualTo("java.lang.IllegalStateException: closed: cannot create " + LOG);
    assertThat(said(new IOException())).isEqualTo("java.io.IOException: cannot create " + LOG);
  }
}
