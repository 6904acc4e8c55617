package io.callboard.node.internal.data;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Reason of a failed file operation, in words for people. */
public final class FileFailure {
  private FileFailure() {}

  /**
   * Returns why a file could not be used, without the class of the exception and the file's name.
   */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "access denied";
    } else if (e instanceof NoSuchFileException) {
      return "there is no such file or directory";
    } else if (e instanceof CharacterCodingException) {
      return "it is not UTF-8; save it as UTF-8";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? "it is of the wrong kind" : reason;
  }
}
