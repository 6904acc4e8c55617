package io.callboard.docs;

import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** Collector of the words below a node of Markdown, without any markup and imports of Java. */
final class PlainText extends AbstractVisitor {
  private static final Pattern IMPORTS = Pattern.compile("(?m)^ *(?:import|package) [^;]*;$");

  private final StringBuilder text = new StringBuilder();

  private PlainText() {}

  /** Returns the text below the node, with single spaces between words. */
  static String of(Node node) {
    PlainText collector = new PlainText();
    node.accept(collector);
    return collector.text.toString().replaceAll("\\s+", " ").strip();
  }

  @Override
  public void visit(Text node) {
    text.append(node.getLiteral());
  }

  @Override
  public void visit(Code node) {
    text.append(node.getLiteral());
  }

  @Override
  public void visit(HtmlInline node) {
    text.append(node.getLiteral());
  }

  @Override
  public void visit(FencedCodeBlock node) {
    text.append(IMPORTS.matcher(node.getLiteral()).replaceAll("")).append(' ');
  }

  @Override
  public void visit(IndentedCodeBlock node) {
    text.append(node.getLiteral()).append(' ');
  }

  @Override
  public void visit(SoftLineBreak node) {
    text.append(' ');
  }

  @Override
  public void visit(HardLineBreak node) {
    text.append(' ');
  }

  @Override
  public void visit(Paragraph node) {
    visitChildren(node);
    text.append(' ');
  }

  @Override
  public void visit(ListItem node) {
    visitChildren(node);
    text.append(' ');
  }

  @Override
  public void visit(CustomNode node) {
    visitChildren(node);
    if (node instanceof TableCell) {
      text.append(' ');
    }
  }
}
