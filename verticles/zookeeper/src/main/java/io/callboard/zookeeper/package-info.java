/**
 * The only place that knows ZooKeeper and Curator: a commit becomes one multi; epochs and members
 * are kept here too.
 */
@NullMarked
package io.callboard.zookeeper;

import org.jspecify.annotations.NullMarked;
