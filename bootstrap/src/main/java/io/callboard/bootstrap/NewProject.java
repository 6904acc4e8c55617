package io.callboard.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Project of one's own, made of files in the jar. Its Java is that of the example {@code
 * io.callboard.examples.visitors} and its test, which the build compiles and runs.
 */
final class NewProject {
  private static final String EXAMPLE = "io.callboard.examples.visitors";

  private final Map<String, String> files = new LinkedHashMap<>();
  private final String inPackage;
  private final Properties values = new Properties();

  /**
   * Reads the files.
   *
   * @param inPackage a package's name
   * @param artifact the name of the artifact
   * @param app whether it is a jar for a stock node, not a program
   */
  NewProject(String inPackage, String artifact, boolean app) throws IOException {
    this.inPackage = inPackage;
    try (InputStream in = resource("versions.properties")) {
      values.load(in);
    }
    values.setProperty("package", inPackage);
    values.setProperty("artifact", artifact);
    String sources = "/java/" + inPackage.replace('.', '/') + "/";
    files.put(".gitignore", filled("gitignore"));
    if (app) {
      files.put("pom.xml", filled("pom-app.xml"));
      files.put("README.md", filled("README-app.md"));
      files.put("visit.yaml", text("visit.yaml"));
      files.put("src/test/resources/logback-test.xml", filled("logback.xml"));
      files.put("src/main" + sources + "VisitorsPart.java", java("VisitorsPart.java"));
      files.put(
          "src/main/resources/META-INF/services/io.callboard.part.NodePart",
          inPackage + ".VisitorsPart\n");
    } else {
      files.put("pom.xml", filled("pom.xml"));
      files.put("README.md", filled("README.md"));
      files.put("src/main/resources/logback.xml", filled("logback.xml"));
      files.put("src/main" + sources + "Main.java", java("Main.java"));
    }
    files.put("src/main" + sources + "Visitor.java", java("Visitor.java"));
    files.put("src/test" + sources + "VisitorTest.java", java("VisitorTest.java"));
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = NewProject.class.getResourceAsStream("project/" + name);
    if (in == null) {
      throw new IOException("the file project/%s is missing in the jar".formatted(name));
    }
    return in;
  }

  private static String text(String name) throws IOException {
    try (InputStream in = resource(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String filled(String name) throws IOException {
    String text = text(name);
    for (String key : values.stringPropertyNames()) {
      text = text.replace("@" + key + "@", values.getProperty(key));
    }
    return text;
  }

  private String java(String name) throws IOException {
    return text(name).replace(EXAMPLE, inPackage);
  }

  /**
   * Writes the files below {@code directory}, which is made if it is missing.
   *
   * @throws java.nio.file.FileAlreadyExistsException if a file of that name is there, which is kept
   */
  void write(Path directory) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
    }
  }
}
