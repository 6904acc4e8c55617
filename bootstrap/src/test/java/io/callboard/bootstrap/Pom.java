package io.callboard.bootstrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** One {@code pom.xml}, as it is written. */
record Pom(String name, Document document) {
  static Pom of(Path file) {
    try {
      return new Pom(
          file.toString(),
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
    } catch (IOException | ParserConfigurationException | SAXException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }

  /** The texts of the elements at this XPath. */
  List<String> texts(String path) {
    try {
      NodeList found =
          (NodeList)
              XPathFactory.newInstance()
                  .newXPath()
                  .evaluate(path, document, XPathConstants.NODESET);
      return IntStream.range(0, found.getLength())
          .mapToObj(i -> found.item(i).getTextContent().strip())
          .toList();
    } catch (XPathExpressionException e) {
      throw new AssertionError(path, e);
    }
  }

  /** The text of the one element at this XPath, empty if there is none. */
  String text(String path) {
    List<String> all = texts(path);
    if (all.size() > 1) {
      throw new AssertionError("%s has %s at %s".formatted(name, all, path));
    }
    return all.isEmpty() ? "" : all.get(0);
  }
}
