/**
 * The launcher: reads the configuration, wires the modules together and starts the embedded
 * ZooKeeper where asked.
 */
@NullMarked
package io.callboard.bootstrap;

import org.jspecify.annotations.NullMarked;
