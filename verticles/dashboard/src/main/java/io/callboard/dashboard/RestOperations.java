package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.audit.AuditTrail;
import io.callboard.dashboard.internal.auth.Authentication;
import io.callboard.dashboard.internal.bulk.BulkAction;
import io.callboard.dashboard.internal.bulk.BulkKind;
import io.callboard.dashboard.internal.bulk.BulkPeers;
import io.callboard.dashboard.internal.bulk.BulkRuns;
import io.callboard.dashboard.internal.bulk.JobKind;
import io.callboard.dashboard.internal.bulk.WorkflowKind;
import io.callboard.dashboard.internal.chart.Recorder;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.metrics.MetricsReader;
import io.callboard.dashboard.internal.rest.ActorApi;
import io.callboard.dashboard.internal.rest.AttentionApi;
import io.callboard.dashboard.internal.rest.AuditApi;
import io.callboard.dashboard.internal.rest.BrakeApi;
import io.callboard.dashboard.internal.rest.BulkApi;
import io.callboard.dashboard.internal.rest.CellApi;
import io.callboard.dashboard.internal.rest.DefinitionApi;
import io.callboard.dashboard.internal.rest.GridApi;
import io.callboard.dashboard.internal.rest.HistoryApi;
import io.callboard.dashboard.internal.rest.JobApi;
import io.callboard.dashboard.internal.rest.LimitApi;
import io.callboard.dashboard.internal.rest.LogFollow;
import io.callboard.dashboard.internal.rest.NoJobs;
import io.callboard.dashboard.internal.rest.NoSources;
import io.callboard.dashboard.internal.rest.NoWorkflows;
import io.callboard.dashboard.internal.rest.NodeApi;
import io.callboard.dashboard.internal.rest.ParkedApi;
import io.callboard.dashboard.internal.rest.RootApi;
import io.callboard.dashboard.internal.rest.SearchApi;
import io.callboard.dashboard.internal.rest.SessionApi;
import io.callboard.dashboard.internal.rest.SettingsApi;
import io.callboard.dashboard.internal.rest.SourceApi;
import io.callboard.dashboard.internal.rest.TypeApi;
import io.callboard.dashboard.internal.rest.WorkerApi;
import io.callboard.dashboard.internal.rest.WorkflowApi;
import io.callboard.dashboard.internal.rest.WorkflowWarnings;
import io.callboard.dashboard.internal.search.Search;
import io.callboard.jobs.Jobs;
import io.callboard.workflows.Workflows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Operations of the REST interface by their ids; the operations of a part that the node lacks
 * answer that it does.
 */
final class RestOperations {
  private final NodeParts parts;
  private final NodeModels models;
  private final Authentication login;
  private final ServedFiles files;
  private final Map<String, Handler> handlers = new HashMap<>();
  private final List<BulkRuns> bulk = new ArrayList<>();
  private final BulkPeers peers;
  private final Optional<LogFollow> follow;

  RestOperations(
      NodeParts parts,
      NodeModels models,
      Recorder recorder,
      AuditTrail audit,
      Authentication login,
      ServedFiles files) {
    this.parts = parts;
    this.models = models;
    this.login = login;
    this.files = files;
    this.peers = new BulkPeers(parts.callboard());
    this.follow =
        parts
            .jobs()
            .map(jobs -> new LogFollow(parts.vertx(), parts.time(), jobs, parts.options().tick()));
    handlers.putAll(new HistoryApi(recorder).handlers());
    handlers.putAll(new AuditApi(audit).handlers());
    addOfNode();
    addOfCell();
    parts.jobs().ifPresentOrElse(this::addJobs, () -> add(NoJobs.handlers(files.contract())));
    parts
        .workflows()
        .ifPresentOrElse(this::addWorkflows, () -> add(NoWorkflows.handlers(files.contract())));
    add(
        parts
            .sources()
            .map(sources -> new SourceApi(sources).handlers())
            .orElseGet(() -> NoSources.handlers(files.contract())));
  }

  /** Returns the handlers by the id of their operation. */
  Map<String, Handler> handlers() {
    return handlers;
  }

  /** Begins no further items of bulk actions, and ends followed logs. */
  void close() {
    bulk.forEach(BulkRuns::close);
    peers.close();
    follow.ifPresent(LogFollow::close);
  }

  private void add(Map<String, Handler> more) {
    handlers.putAll(more);
  }

  private void addOfNode() {
    DashboardOptions options = parts.options();
    add(new SessionApi(login, options.readOnly()).handlers());
    add(
        new SettingsApi(
                parts.callboard(),
                options.cell(),
                options.version(),
                features(),
                Json.tree(options.settings()))
            .handlers());
    add(
        new RootApi(
                files.contract(),
                parts.callboard(),
                parts.grid(),
                parts.jobs(),
                parts.workflows(),
                new MetricsReader(parts.callboard(), parts.grid(), parts.node(), parts.clock()),
                parts.clock())
            .handlers());
  }

  private Map<String, Boolean> features() {
    DashboardOptions options = parts.options();
    Map<String, Boolean> features = new TreeMap<>();
    features.put("jobs", parts.jobs().isPresent());
    features.put("workflows", parts.workflows().isPresent());
    features.put("sources", parts.sources().isPresent());
    features.put("archive of jobs", parts.jobs().filter(Jobs::hasArchive).isPresent());
    features.put("login", login.isRequired());
    features.put("read-only", options.readOnly());
    features.put("contents of messages", options.payloads());
    return features;
  }

  private void addOfCell() {
    Callboard callboard = parts.callboard();
    add(new CellApi(models.cell(), parts.grid()).handlers());
    add(
        new ActorApi(callboard, models.actors(), models.supervision(), models.cellActors())
            .handlers());
    add(new NodeApi(models.nodes()).handlers());
    add(new AttentionApi(models.attention()).handlers());
    add(new GridApi(parts.grid()).handlers());
    add(
        new SearchApi(
                new Search(
                    callboard,
                    models.actors(),
                    models.cellActors(),
                    parts.grid(),
                    parts.jobs(),
                    parts.workflows(),
                    parts.sources()))
            .handlers());
    Predicate<Caller> payloads =
        login.isRequired()
            ? caller -> caller.role() == Role.ADMIN
            : caller -> parts.options().payloads();
    add(new ParkedApi(callboard, payloads).handlers());
  }

  private void addJobs(Jobs jobs) {
    add(new JobApi(jobs, follow.orElseThrow()).handlers());
    add(bulk(new JobKind(jobs)).handlers("Job"));
    add(new TypeApi(jobs, models.cell(), parts.grid()).handlers());
    add(new LimitApi(jobs).handlers());
  }

  private void addWorkflows(Workflows workflows) {
    WorkflowWarnings warnings = new WorkflowWarnings(workflows, parts.jobs());
    add(new DefinitionApi(workflows, warnings, files.schema()).handlers());
    add(new WorkflowApi(workflows, warnings).handlers());
    add(bulk(new WorkflowKind(workflows)).handlers("Workflow"));
    add(new BrakeApi(workflows).handlers());
    add(new WorkerApi(workflows).handlers());
  }

  /** Returns the operations on many items of a kind, which end with these. */
  private <S extends Enum<S>, A extends BulkAction<S>> BulkApi<S, A> bulk(BulkKind<S, A> kind) {
    BulkRuns runs =
        new BulkRuns(
            parts.vertx(), kind, parts.time(), parts.clock(), parts.callboard().node(), peers);
    bulk.add(runs);
    return new BulkApi<>(kind, runs, peers);
  }
}
