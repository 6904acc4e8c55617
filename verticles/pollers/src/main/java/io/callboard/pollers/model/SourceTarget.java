package io.callboard.pollers.model;

import io.callboard.workflows.template.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Target of a source: what its messages become. */
public sealed interface SourceTarget {
  /** Returns the target in words, as {@code workflow index-article}. */
  String words();

  /**
   * Instance of a workflow.
   *
   * @param definition name of the definition, whose current version starts
   * @param input template of its input
   */
  record StartWorkflow(String definition, Template input) implements SourceTarget {
    @Override
    public String words() {
      return "workflow " + definition;
    }
  }

  /**
   * Question to a builder in Java, which says what starts.
   *
   * @param builder name of the builder
   * @param message template of what it gets
   */
  record AskBuilder(String builder, Template message) implements SourceTarget {
    @Override
    public String words() {
      return "builder " + builder;
    }
  }

  /**
   * Job.
   *
   * @param type its type
   * @param command templates of program and arguments; each must give a text, number or boolean;
   *     empty for a handler
   * @param env templates of environment variables
   * @param labels templates of labels
   * @param priority 0 to 9
   * @param args template of the arguments for a handler; null for a process
   */
  record SubmitJob(
      String type,
      List<Template> command,
      Map<String, Template> env,
      Map<String, Template> labels,
      int priority,
      @Nullable Template args)
      implements SourceTarget {
    /** Copies the collections. */
    public SubmitJob {
      command = List.copyOf(command);
      env = Map.copyOf(env);
      labels = Map.copyOf(labels);
    }

    @Override
    public String words() {
      return "job " + type;
    }
  }

  /**
   * Message to a durable actor.
   *
   * @param path template of the actor's path
   * @param type logical name of the message's type
   * @param message template of the message
   */
  record TellActor(Template path, String type, Template message) implements SourceTarget {
    @Override
    public String words() {
      return "actor " + path.text();
    }
  }

  /**
   * Returns the name of the definition that messages start, if there is only one and it is known.
   */
  default Optional<String> onlyDefinition() {
    return this instanceof StartWorkflow start ? Optional.of(start.definition()) : Optional.empty();
  }
}
