/**
 * Load of sources in a chaos run, and its judge. Articles come into a directory and a stream of
 * Redis; each starts a workflow, whose last step writes the article into an index. {@link
 * io.callboard.chaos.sources.ArticleJudge} compares what was sent with the index, and with what is
 * left or set aside in the sources, by looks at the directory and at Redis themselves.
 *
 * <p>The index is one to which each entry is written under a key, as an idempotent request: writing
 * it again under the same key changes nothing, another key is another entry. So steps may run
 * twice, which is counted, but an article for which two workflows were started has two entries.
 */
@NullMarked
package io.callboard.chaos.sources;

import org.jspecify.annotations.NullMarked;
