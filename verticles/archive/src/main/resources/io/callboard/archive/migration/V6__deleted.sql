-- Ended jobs and workflow instances that users deleted within a day: a writer that was slow brings none of them back.
create table callboard_deleted (
  id uuid not null,
  deleted_at timestamp(3) with time zone not null
);

create index callboard_deleted_by_id on callboard_deleted (id);
create index callboard_deleted_by_time on callboard_deleted (deleted_at);
