/**
 * Articles from a source, the demo {@code articles}: messages about new articles come from a
 * directory, a topic of Kafka or a stream of Redis, and each starts an instance of {@code
 * index-article}, which fetches the article from the site that has it.
 *
 * <pre>
 * site ── message ── source ── fetch ── extract ── annotate ── index ── print      finally: cleanup
 *                      ^                                                  |
 *                      +------------------ acknowledged ------------------+
 * </pre>
 *
 * <h2>What is where</h2>
 *
 * <ul>
 *   <li>{@code ArticleSource}: the configuration of the source, by the system that it is in.
 *   <li>{@code ArticleWorkflow} and {@code ArticleSteps}: the workflow, and what its steps do. How
 *       a page is cleaned, its language and its names are found, and the index are those of the
 *       example {@code documents}.
 *   <li>{@code ArticleSite}: a web server with the articles, which is busy now and then, on
 *       purpose. {@code Articles} makes them.
 *   <li>{@code Edition}: what of this edition was published. {@code ArticlesDemo}: the program.
 * </ul>
 *
 * <h2>What makes it safe to kill</h2>
 *
 * <p>A message is acknowledged when its instance has ended well. An instance goes on after its
 * process was killed; a step may run twice, so each replaces what it left, and an article replaces
 * itself in the index. An article that was published as the process was killed may be published
 * again: it starts a second instance, and is in the index once.
 */
@NullMarked
package io.callboard.examples.articles;

import org.jspecify.annotations.NullMarked;
