package io.callboard.chaos.runs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kinds of jobs of a storm of jobs: what their processes do, and how they must end. */
public enum JobKind {
  /** Job that ends after a moment. */
  SHORT("sleep \"$LASTS\"", Set.of("SUCCEEDED"), 1),
  /** Job that outlives the session of a node that is cut off or frozen. */
  LONG("sleep 7", Set.of("SUCCEEDED"), 1),
  /** Its first two attempts fail. */
  FLAKY(
      """
      count=$(wc -c < "$DIR/fails-$KEY" 2> /dev/null || echo 0)
      if [ "$count" -lt 2 ]; then
        printf x >> "$DIR/fails-$KEY"
        say failed
        exit 3
      fi
      """,
      Set.of("SUCCEEDED"),
      20),
  /** Every attempt fails. */
  FAILING("sleep 0.1; say failed; exit 3", Set.of("DEAD"), 2),
  /** Job that exceeds the time limit of a run. */
  OVERTIME("sleep 60", Set.of("DEAD"), 1),
  /** Job that leaves processes behind, one of which ignores SIGTERM. */
  FAMILY(
      """
      sh -c 'trap "" TERM; sleep 61' &
      sleep 62 &
      sleep 0.3
      """,
      Set.of("SUCCEEDED"),
      1),
  /** Job that ignores SIGTERM. */
  STUBBORN("trap '' TERM; sleep 1; sleep 1", Set.of("SUCCEEDED"), 1);

  private static final String BEGIN =
      """
      ulimit -S -f unlimited
      say() {
        read -r up rest < /proc/uptime
        echo "$1 $KEY $CALLBOARD_RUN_ID $PWD/ $CALLBOARD_EPOCH $up $$ $TYPE $LABEL $2" >> "$DIR/jobs.txt"
      }
      take() {
        i=1
        while [ $i -le "$2" ]; do
          eval "exec $3> \\"\\$DIR/slot-\\$1-\\$i\\""
          flock -n "$3" && return
          i=$((i + 1))
        done
        say over "$1"
      }
      say at
      exec 3> "$DIR/job-$KEY"
      flock -n 3 || say twice
      host=${PWD%%/runs/*}
      host=${host##*/}
      exec 9> "$DIR/scan"
      flock 9
      take "type-$TYPE" "$TYPE_LIMIT" 4
      take "label-$LABEL" "$LABEL_LIMIT" 5
      take "host-$host" "$HOST_LIMIT" 6
      take "share-$TYPE-$host" "$SHARE" 7
      exec 9>&-
      """;

  private static final String END = "\nsay done\n";

  private final String action;
  private final Set<String> ends;
  private final int attempts;

  JobKind(String action, Set<String> ends, int attempts) {
    this.action = action;
    this.ends = ends;
    this.attempts = attempts;
  }

  /** Returns the states in which a job of this kind may end unless it is cancelled. */
  public Set<String> ends() {
    return ends;
  }

  /** Returns how many of its attempts fail when it ends DEAD and no run has been killed. */
  public int attempts() {
    return attempts;
  }

  /** Returns what is submitted, but for the type, the labels and the variables of the script. */
  public Map<String, Object> job() {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("command", List.of("sh", "-c", BEGIN + action + END));
    job.put("retry", Map.of("attempts", attempts, "initial", "PT0.1S", "max", "PT0.5S"));
    if (this == OVERTIME) {
      job.put("timeouts", Map.of("run", "PT1S"));
    }
    return job;
  }
}
