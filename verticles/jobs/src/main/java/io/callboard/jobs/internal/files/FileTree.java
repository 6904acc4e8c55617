package io.callboard.jobs.internal.files;

import io.callboard.jobs.internal.runner.RunException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Directory tree that a job has filled: with any number of files, with links, and without the
 * permission to delete their entries (as caches of build tools are).
 */
final class FileTree {
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private FileTree() {}

  /**
   * Deletes the tree without following links; holds no more than one path at a time. A missing tree
   * is no failure.
   *
   * @throws RunException of kind DIRECTORY
   */
  static void delete(Path root) {
    try {
      deleteAll(root);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw RunException.directory("remove", root, e);
    }
  }

  private static void deleteAll(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try {
        empty(path);
      } catch (AccessDeniedException e) {
        Files.setPosixFilePermissions(path, OWNER);
        empty(path);
      }
    }
    Files.deleteIfExists(path);
  }

  private static void empty(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        deleteAll(file);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
