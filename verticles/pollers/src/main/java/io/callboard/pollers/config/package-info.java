/**
 * Reader of the configuration of sources.
 *
 * <pre>
 * articles:
 *   kind: feed
 *   settings: {url: "https://example.org/feed.xml"}   # those of the kind
 *   ack: on_complete            # or on_accept; on_complete unless it starts with tell
 *   credit: 100                 # messages that are taken and not acknowledged
 *   body: json                  # or text
 *   retry: {attempts: 5, initial: PT1S, max: PT1M}
 *   start: {workflow: index-article, input: {url: "${/body/link}"}}
 *   onSuccess: {emit: done, body: {id: "${/id}", instance: "${/result/ref}"}}
 * </pre>
 *
 * <p>{@code start} is one of {@code {workflow, input}}, {@code {builder, message}}, {@code {job,
 * command, env, labels, priority}} and {@code {tell, type, message}}. Templates ({@link
 * io.callboard.workflows.template.Template}) see {@code {id, body, headers, source}}, those of
 * {@code onSuccess} also {@code result}, with {@code ref} and {@code outcome}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
