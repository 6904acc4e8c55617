/**
 * Documents as workflows, the demo {@code workflow}: each document of a directory is one instance
 * of {@code index-document}, and when all are settled, one of {@code report-library} writes a
 * report.
 *
 * <h2>The graph of a document</h2>
 *
 * <pre>
 * read ─┬─ clean (only HTML) ── links (may fail)
 *       ├─────┴─ language ─┐
 *       ├─────┴─ entities ─┴─ index ── announce (refused at first, on purpose)
 *       └─ failure: quarantine
 * finally: cleanup
 * </pre>
 *
 * <p>A document that is no text fails {@code read}; {@code quarantine} handles that, so its
 * instance succeeds. A page with a dead link succeeds with warnings. The catalogue refuses every
 * third document at its first attempt, so {@code announce} is tried again.
 *
 * <h2>What is where</h2>
 *
 * <ul>
 *   <li>What steps do: small classes that know no engine ({@code DocumentReading}, {@code
 *       HtmlCleaning}, {@code LinkCheck}, {@code LanguageDetection}, {@code Gazetteer}, {@code
 *       DocumentIndex}, {@code Catalogue}, {@code Quarantine}, {@code LibraryReport}).
 *   <li>The definitions: {@code index-document.yaml} and {@code report-library.yaml}; {@code
 *       DocumentWorkflows} builds the same in Java.
 *   <li>The steps: {@code DocumentSteps} takes the inputs of each from the outputs of those before
 *       it.
 * </ul>
 *
 * <h2>What makes it safe to run a step twice</h2>
 *
 * <p>A step whose worker is lost runs again. So each of them replaces what it left: files are moved
 * into their place as a whole, a document replaces itself in the index, and the catalogue knows the
 * key of each announcement.
 */
@NullMarked
package io.callboard.examples.documents;

import org.jspecify.annotations.NullMarked;
