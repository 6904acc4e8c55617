/**
 * Generator of the documentation's site: Markdown in, a folder of static pages with search out. It
 * is among the tests because the product's jar does not contain it; {@code bin/docs} runs it.
 *
 * <ul>
 *   <li>{@link io.callboard.docs.Page}: one Markdown file, parsed.
 *   <li>{@link io.callboard.docs.Navigation}: the order of the pages, as the index has it.
 *   <li>{@link io.callboard.docs.Site}: all pages, their links, and the files that are written.
 * </ul>
 *
 * <p>A link to what does not exist fails the generation, with all such links in the message.
 */
@NullMarked
package io.callboard.docs;

import org.jspecify.annotations.NullMarked;
