-- Workflow instances that have ended and left the cell. Ids are UUIDs of version 7, so they are ordered by age.
create table callboard_workflow (
  id uuid not null primary key,
  version bigint not null,
  definition varchar(200) not null,
  definition_version varchar(200) not null,
  state varchar(30) not null,
  parent varchar(100),
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone not null,
  search varchar not null,
  body varchar not null,
  list_view varchar not null
);

create index callboard_workflow_by_definition on callboard_workflow (definition, id);
create index callboard_workflow_by_state on callboard_workflow (state, id);
create index callboard_workflow_by_end on callboard_workflow (state, ended_at);

create table callboard_workflow_label (
  name varchar(200) not null,
  label_value varchar(500) not null,
  workflow_id uuid not null references callboard_workflow (id) on delete cascade,
  primary key (workflow_id, name)
);

create index callboard_workflow_by_label on callboard_workflow_label (name, label_value, workflow_id);

-- Steps in the order of their declaration, with their outputs as JSON.
create table callboard_workflow_step (
  workflow_id uuid not null references callboard_workflow (id) on delete cascade,
  step_number int not null,
  step varchar(200) not null,
  state varchar(30) not null,
  attempts int not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  reason varchar,
  output varchar,
  primary key (workflow_id, step_number)
);

create table callboard_workflow_event (
  workflow_id uuid not null references callboard_workflow (id) on delete cascade,
  event_number int not null,
  happened_at timestamp(3) with time zone not null,
  step varchar(200),
  what varchar not null,
  detail varchar,
  primary key (workflow_id, event_number)
);
