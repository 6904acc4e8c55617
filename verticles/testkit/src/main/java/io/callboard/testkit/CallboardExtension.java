package io.callboard.testkit;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * JUnit extension that gives each test a node of its own with a store in memory, and closes it
 * afterwards.
 *
 * <pre>{@code
 * @ExtendWith(CallboardExtension.class)
 * class GreeterTest {
 *   @Test
 *   void greets(Callboard callboard, Probes probes) { ... }
 *
 *   @Test
 *   void isBoredAfterAnHour(Callboard callboard, ManualTime time) { ... }
 * }
 * }</pre>
 *
 * <p>Parameters of tests and {@code @BeforeEach} methods: {@link Callboard}, {@link Probes}, {@link
 * ManualTime}, and {@link Vertx}, unless Vert.x's own {@code VertxExtension} is registered too,
 * which then gives another one. If a test or a {@code @BeforeEach} method takes a {@link
 * ManualTime}, its node uses that, and its Vert.x has one event loop; otherwise the node uses the
 * system's time.
 *
 * <p>If a test fails, the failures of actors, dead letters and what the node had to say are
 * attached to its failure.
 */
public final class CallboardExtension
    implements ParameterResolver, AfterEachCallback, TestExecutionExceptionHandler {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(CallboardExtension.class);
  private static final String VERTX_EXTENSION = "io.vertx.junit5.VertxExtension";
  private static final Set<Class<?>> GIVEN =
      Set.of(Callboard.class, Probes.class, ManualTime.class, Vertx.class);

  private final Consumer<CallboardOptions> options;

  /** Creates an extension whose nodes have the default options. */
  public CallboardExtension() {
    this(options -> {});
  }

  /**
   * Creates an extension with other options, for {@code @RegisterExtension}.
   *
   * @param options changes the options of each test's node
   */
  public CallboardExtension(Consumer<CallboardOptions> options) {
    this.options = options;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return GIVEN.contains(type) && !(type == Vertx.class && hasVertxExtension(context));
  }

  private static boolean hasVertxExtension(ExtensionContext context) {
    return classes(context).stream()
        .flatMap(
            type -> AnnotationSupport.findRepeatableAnnotations(type, ExtendWith.class).stream())
        .flatMap(extend -> Arrays.stream(extend.value()))
        .anyMatch(type -> type.getName().equals(VERTX_EXTENSION));
  }

  /** Returns the class of the test, with those that enclose it. */
  private static List<Class<?>> classes(ExtensionContext context) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getEnclosingClass()) {
      classes.add(type);
    }
    return classes;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "each test has a node of its own: take it in a test or @BeforeEach method, not in %s"
              .formatted(parameter.getDeclaringExecutable()));
    }
    TestNode node = context.getStore(STORE).get(TestNode.class, TestNode.class);
    if (node == null) {
      node = TestNode.open(takesManualTime(context), options);
      context.getStore(STORE).put(TestNode.class, node);
    }
    Class<?> type = parameter.getParameter().getType();
    if (type == Callboard.class) {
      return node.callboard();
    } else if (type == Probes.class) {
      return node.probes();
    } else if (type == Vertx.class) {
      return node.callboard().vertx();
    }
    return node.time().orElseThrow();
  }

  private static boolean takesManualTime(ExtensionContext context) {
    List<Method> methods = new ArrayList<>(List.of(context.getRequiredTestMethod()));
    for (Class<?> type : classes(context)) {
      methods.addAll(
          AnnotationSupport.findAnnotatedMethods(
              type, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN));
    }
    return methods.stream()
        .flatMap(method -> Arrays.stream(method.getParameterTypes()))
        .anyMatch(ManualTime.class::equals);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    TestNode node = context.getStore(STORE).get(TestNode.class, TestNode.class);
    if (node != null) {
      node.report().ifPresent(failure::addSuppressed);
    }
    throw failure;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestNode node = context.getStore(STORE).remove(TestNode.class, TestNode.class);
    if (node != null) {
      node.close();
    }
  }
}
