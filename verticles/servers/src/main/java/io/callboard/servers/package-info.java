/**
 * Real servers of other systems, on the loopback interface, for tests and benchmarks of sources.
 * They are the machine's, as Debian's packages install them, or artifacts that whoever starts one
 * has on the class path.
 */
@NullMarked
package io.callboard.servers;

import org.jspecify.annotations.NullMarked;
