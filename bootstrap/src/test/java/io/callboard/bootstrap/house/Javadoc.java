package io.callboard.bootstrap.house;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Javadoc of the declarations in source files, as the compiler reads it. */
final class Javadoc {
  /**
   * A declaration.
   *
   * @param where its file and line
   * @param api it and all types around it are public or protected, and it overrides nothing
   * @param text its comment without the tags at the end; null if there is none
   */
  record Declaration(String where, String name, boolean api, @Nullable String text) {}

  private Javadoc() {}

  static List<Declaration> of(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(
                      files.stream().map(Sources::absolute).toList()));
      List<Declaration> found = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(DocTrees.instance(task), unit, found).scan(unit, true);
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Visits declarations; its argument is true while all types around are API. */
  private static final class Scanner extends TreePathScanner<@Nullable Void, Boolean> {
    private final DocTrees trees;
    private final CompilationUnitTree unit;
    private final List<Declaration> found;

    Scanner(DocTrees trees, CompilationUnitTree unit, List<Declaration> found) {
      this.trees = trees;
      this.unit = unit;
      this.found = found;
    }

    @Override
    public @Nullable Void visitPackage(PackageTree tree, Boolean api) {
      add(tree, tree.getPackageName().toString(), false);
      return null;
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, Boolean api) {
      boolean isApi = api && isApi(tree.getModifiers());
      add(tree, tree.getSimpleName().toString(), isApi);
      return super.visitClass(tree, isApi);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, Boolean api) {
      boolean generated = trees.getSourcePositions().getEndPosition(unit, tree) < 0;
      if (!generated && !isOfRecord(tree)) {
        add(tree, tree.getName().toString(), api && isApi(tree.getModifiers()));
      }
      return super.visitMethod(tree, false);
    }

    /** The components of a record are documented with it. */
    private boolean isOfRecord(MethodTree tree) {
      return tree.getName().contentEquals("<init>")
          && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, Boolean api) {
      if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree) {
        add(tree, tree.getName().toString(), api && isApi(tree.getModifiers()));
      }
      return super.visitVariable(tree, false);
    }

    /** Members of interfaces are public without saying so. */
    private boolean isApi(ModifiersTree modifiers) {
      TreePath around = getCurrentPath().getParentPath();
      boolean ofInterface =
          around != null
              && around.getLeaf() instanceof ClassTree type
              && (type.getKind() == Tree.Kind.INTERFACE
                  || type.getKind() == Tree.Kind.ANNOTATION_TYPE);
      Set<Modifier> flags = modifiers.getFlags();
      boolean visible =
          flags.contains(Modifier.PUBLIC)
              || flags.contains(Modifier.PROTECTED)
              || (ofInterface && !flags.contains(Modifier.PRIVATE));
      return visible
          && modifiers.getAnnotations().stream()
              .noneMatch(each -> each.getAnnotationType().toString().equals("Override"));
    }

    private void add(Tree tree, String name, boolean api) {
      DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
      long line =
          unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
      String file = Path.of(unit.getSourceFile().toUri()).getFileName().toString();
      String text =
          comment == null
              ? null
              : String.join(
                      "", comment.getFullBody().stream().map(part -> part.toString()).toList())
                  .strip();
      found.add(new Declaration(file + ":" + line, name, api, text));
    }
  }
}
