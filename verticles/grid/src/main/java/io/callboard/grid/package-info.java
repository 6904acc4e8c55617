/**
 * Which member does what: members, roles, election, standby, placement, monitoring, routing and
 * cells.
 */
@NullMarked
package io.callboard.grid;

import org.jspecify.annotations.NullMarked;
