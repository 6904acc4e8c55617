package io.callboard.pollers.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.callboard.codecs.JsonFault;
import io.callboard.supervision.Causes;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Configuration file, JSON or YAML, of a node or of sources. Read strictly: a repeated key and
 * anything after the end are refused.
 */
public final class ConfigurationFile {
  private static final int MOST_DEPTH = 20;

  /** Parser of YAML, which includes JSON. */
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ConfigurationFile() {}

  /**
   * Returns the content of a file; a missing node if it is empty. Blocks.
   *
   * @throws IllegalArgumentException if it cannot be read, with one line that names it
   */
  public static JsonNode read(Path path) {
    try {
      return MAPPER.readTree(Files.readString(path));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          "the configuration file %s does not exist".formatted(path), e);
    } catch (JsonProcessingException e) {
      throw unreadable(at(path, e), JsonFault.why(e), e);
    } catch (AccessDeniedException e) {
      throw unreadable(path.toString(), "access denied", e);
    } catch (CharacterCodingException e) {
      throw unreadable(path.toString(), "it is not UTF-8; save it as UTF-8", e);
    } catch (IOException e) {
      throw unreadable(path.toString(), Causes.message(e), e);
    }
  }

  private static IllegalArgumentException unreadable(String where, String why, IOException e) {
    return new IllegalArgumentException("%s cannot be read: %s".formatted(where, why), e);
  }

  private static String at(Path path, JsonProcessingException e) {
    return e.getLocation() == null ? path.toString() : path + ":" + e.getLocation().getLineNr();
  }
}
