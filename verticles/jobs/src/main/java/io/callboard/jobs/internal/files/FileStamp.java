package io.callboard.jobs.internal.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Identity of a file's content: a file that was rewritten or replaced has another one.
 *
 * @param key device and number of the file
 * @param size number of bytes
 * @param modified time of the last write
 */
public record FileStamp(String key, long size, FileTime modified) {
  static FileStamp of(BasicFileAttributes file) {
    return new FileStamp(String.valueOf(file.fileKey()), file.size(), file.lastModifiedTime());
  }
}
