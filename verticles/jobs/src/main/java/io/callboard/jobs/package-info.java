/**
 * Jobs, their types and schedules, host monitors and the archive; workflows with their pollers and
 * workers. Built on the front door and roles alone.
 */
@NullMarked
package io.callboard.jobs;

import org.jspecify.annotations.NullMarked;
