-- Jobs that have ended, each in its last version. Ids are UUIDs of version 7, so they are ordered by age.
create table callboard_job (
  id uuid not null primary key,
  version bigint not null,
  job_type varchar(100) not null,
  state varchar(30) not null,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone not null,
  search varchar not null,
  body varchar not null,
  list_view varchar not null,
  result varchar
);

create index callboard_job_by_type on callboard_job (job_type, id);
create index callboard_job_by_state on callboard_job (state, id);
create index callboard_job_by_end on callboard_job (state, ended_at);

create table callboard_job_label (
  name varchar(100) not null,
  label_value varchar(500) not null,
  job_id uuid not null references callboard_job (id) on delete cascade,
  primary key (job_id, name)
);

create index callboard_job_by_label on callboard_job_label (name, label_value, job_id);

-- Runs, with the last part of the output of the last ones.
create table callboard_job_run (
  job_id uuid not null references callboard_job (id) on delete cascade,
  run_id int not null,
  state varchar(30) not null,
  host varchar(200) not null,
  exit_code int,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  error varchar,
  log_end varchar,
  primary key (job_id, run_id)
);

create table callboard_job_event (
  job_id uuid not null references callboard_job (id) on delete cascade,
  event_number int not null,
  happened_at timestamp(3) with time zone not null,
  what varchar not null,
  primary key (job_id, event_number)
);
